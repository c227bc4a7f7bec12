//! An attacker who controls every text of one user, and calls every operation.

use crate::vault::{Belongings, DAY, File, Note, NoteBody, NoteLabel, Profile, VaultItem, Visit};
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, Error, Transaction};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use std::fmt::Debug;

/// The texts of the attacker's own. None of them is the victim's name.
#[derive(Debug, Clone)]
pub struct Attacker {
    pub user: String,
    pub words: [String; 3],
}

/// All results, errors included.
#[derive(Default)]
pub struct Loot(pub Vec<String>);

impl Loot {
    fn take<T: Debug, E: Debug + ToString>(&mut self, result: Result<T, E>) {
        self.0.push(match result {
            Ok(got) => format!("{got:?}"),
            Err(error) => format!("{} {error:?}", error.to_string()),
        });
    }
}

fn day() -> Timestamp {
    DAY.parse().unwrap()
}

impl Attacker {
    fn words(&self) -> [&str; 3] {
        [&self.words[0], &self.words[1], &self.words[2]]
    }

    pub fn belongings(&self) -> Belongings {
        Belongings::new(&self.user, self.words())
    }

    /// Single items, by keys.
    pub async fn gets(&self, db: &Dynamo, loot: &mut Loot) {
        let (user, [a, b, c]) = (&self.user, self.words());
        loot.take(Profile::get(user).send(db).await);
        loot.take(Note::get(user, a, b).consistent().send(db).await);
        loot.take(File::get(user, b).send(db).await);
        loot.take(Visit::get(user, day(), c).send(db).await);
        loot.take(
            BatchGet::new([Note::key(user, a, b), Note::key(user, b, c)])
                .send(db)
                .await,
        );
        let keys = (
            Note::key(user, a, b),
            File::key(user, b),
            Profile::key(user),
        );
        loot.take(TransactGet::new(keys).send(db).await);
    }

    /// All reads of several items.
    pub async fn queries(&self, db: &Dynamo, loot: &mut Loot) {
        let (user, [a, b, c]) = (&self.user, self.words());
        loot.take(Note::query(user).all(db).await);
        loot.take(Note::query(user).folder(a).all(db).await);
        loot.take(Note::query(user).folder(a).title(b).one(db).await);
        loot.take(Note::query(user).folder_prefix(a).all(db).await);
        loot.take(Note::query(user).folder_in(a..).all(db).await);
        loot.take(Note::query(user).folder_in(..=b).descending().all(db).await);
        loot.take(Note::query(user).folder(a).title_in(b..c).all(db).await);
        loot.take(Note::query(user).folder(a).title_prefix(c).first(db).await);
        loot.take(File::query().user(user).all(db).await);
        loot.take(File::query().user(user).name_prefix(b).all(db).await);
        loot.take(File::query().user(user).name_in(a..).all(db).await);
        loot.take(File::query().user(user).name_in(..=c).all(db).await);
        loot.take(Visit::query(user, day(), c).all(db).await);
        loot.take(Visit::across(user, day()..=day()).limit(9).all(db).await);
        let filtered = Note::query(user).filter(|it| it.body().contains(a) | it.body().ne(b));
        loot.take(filtered.stream(db).try_collect::<Vec<_>>().await);
        loot.take(
            VaultItem::collection(Profile::partition_key(user))
                .all(db)
                .await,
        );
        if let Ok(prefix) = Note::sort_key().folder(a).build() {
            let collection = VaultItem::collection(Note::partition_key(user));
            loot.take(collection.within(prefix).all(db).await);
        }
    }

    /// Through indexes, and projections of them.
    pub async fn indexes(&self, db: &Dynamo, loot: &mut Loot) {
        let (user, [a, b, c]) = (&self.user, self.words());
        loot.take(Note::by_folder(user, a).all(db).await);
        loot.take(Note::by_folder(user, a).label(c).all(db).await);
        loot.take(Note::by_folder(user, a).label_prefix(b).all(db).await);
        loot.take(Note::by_folder(user, a).label_in(b..).all(db).await);
        loot.take(Note::by_folder(user, a).project::<NoteBody>().all(db).await);
        loot.take(Note::by_title(user).title_in(..=c).all(db).await);
        loot.take(Note::by_title(user).project::<NoteBody>().all(db).await);
        loot.take(Note::by_label(user).project::<NoteLabel>().all(db).await);
        loot.take(Note::by_label(user).label_prefix(c).hydrate(db).await);
        loot.take(Note::query(user).project::<NoteBody>().all(db).await);
        loot.take(Profile::by_mail(a).user(user).all(db).await);
    }

    /// All writes, with the old items that they return.
    pub async fn writes(&self, db: &Dynamo, loot: &mut Loot) {
        let (user, [a, b, c]) = (&self.user, self.words());
        let own = self.belongings();
        loot.take(own.profile.create().send(db).await);
        loot.take(own.note.put().return_old().send(db).await);
        loot.take(own.file.put().send(db).await);
        loot.take(
            BatchWrite::new()
                .put(&own.visit)
                .put(&own.note)
                .send(db)
                .await,
        );
        let update = Note::update(user, a, b).set(|it| it.body(), c);
        loot.take(update.return_old().send(db).await);
        let update = Note::update(user, a, b).set(|it| it.label(), b);
        loot.take(update.condition(|it| it.body().ne(a)).send(db).await);
        loot.take(own.note.update().set(|it| it.label(), a).send(db).await);
        let update = Profile::update(user).set(|it| it.handle(b), a);
        loot.take(update.return_new().send(db).await);
        loot.take(Profile::update(user).set(|it| it.mail(), c).send(db).await);
    }

    /// Batches, transactions, and deletions.
    pub async fn takes(&self, db: &Dynamo, loot: &mut Loot) {
        let (user, [a, b, c]) = (&self.user, self.words());
        let transaction = Transaction::new()
            .add(self.belongings().file.put())
            .add(Note::update(user, a, b).set(|it| it.body(), c))
            .add(Visit::delete(user, day(), c))
            .add(File::key(user, format!("{a}{b}{c}")).must_not_exist());
        loot.take(transaction.send(db).await);
        loot.take(Profile::delete(user).return_old().send(db).await);
        loot.take(Note::delete(user, a, b).return_old().send(db).await);
        loot.take(File::delete(user, b).send(db).await);
        let batch = BatchWrite::new().delete(Note::key(user, b, c));
        loot.take(batch.delete(Visit::key(user, day(), c)).send(db).await);
    }

    /// Returns the attacker's own first pages, and where they end.
    pub async fn pages(&self, db: &Dynamo) -> Result<Vec<String>, Error> {
        for i in 0..3 {
            let own = self.belongings();
            let title = format!("{i}");
            Note {
                title: title.clone(),
                ..own.note
            }
            .put()
            .send(db)
            .await?;
            File {
                name: title.clone(),
                ..own.file
            }
            .put()
            .send(db)
            .await?;
            Visit {
                site: title,
                ..own.visit
            }
            .put()
            .send(db)
            .await?;
        }
        let (user, [a, ..]) = (&self.user, self.words());
        let cursors = [
            Note::query(user).limit(1).page(db).await?.next,
            Note::by_folder(user, a).limit(1).page(db).await?.next,
            Note::by_title(user).limit(1).page(db).await?.next,
            File::query().user(user).limit(1).page(db).await?.next,
            Visit::across(user, day()..=day())
                .limit(1)
                .page(db)
                .await?
                .next,
            VaultItem::collection(Profile::partition_key(user))
                .limit(1)
                .page(db)
                .await?
                .next,
        ];
        Ok(cursors.into_iter().flatten().collect())
    }

    /// Every query that takes a cursor, with this one.
    pub async fn goes_on(&self, db: &Dynamo, cursor: &str, loot: &mut Loot) {
        let (user, [a, ..]) = (&self.user, self.words());
        loot.take(Note::query(user).after(cursor).all(db).await);
        loot.take(Note::by_folder(user, a).after(cursor).all(db).await);
        loot.take(Note::by_title(user).after(cursor).all(db).await);
        loot.take(File::query().user(user).after(cursor).all(db).await);
        loot.take(
            Visit::across(user, day()..=day())
                .after(cursor)
                .all(db)
                .await,
        );
        loot.take(
            VaultItem::collection(Profile::partition_key(user))
                .after(cursor)
                .all(db)
                .await,
        );
        let projected = Note::query(user).project::<NoteBody>();
        loot.take(projected.after(cursor).all(db).await);
    }
}
