//! The settings of outputs that no declaration contains: the deployment of each application, its
//! users, its load. The documents give thresholds, backups and names; rates and sizes are invented.

use crate::Result;
use crate::{booking, exam, hosting, q, shogi, shop};
use dynamo_model_tools::{
    Application, AutoScaling, Capacity, Deployment, Identity, Model, Policy, Rate, StateMachine,
};

const REGION: &str = "ap-northeast-1";
const ACCOUNT: &str = "123456789012";

/// Of one schema.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Its declarations.
    pub model: fn() -> Model,
    /// How it is deployed.
    pub deployment: Deployment,
    /// The permissions of its service.
    pub service: Policy,
    /// The permissions of a run of its migrations.
    pub migration: Policy,
    /// The permissions of a user.
    pub user: Policy,
    /// How busy it is.
    pub capacity: Capacity,
    /// Its functions, each with its permissions.
    pub application: Application,
    /// The workflow that Step Functions runs for it.
    pub state_machine: Option<fn() -> Result<StateMachine>>,
}

impl Settings {
    pub(super) fn of(name: &str) -> Option<Self> {
        match name {
            "exam" => Some(exam()),
            "shop" => Some(shop()),
            "booking" => Some(booking()),
            "shogi" => Some(shogi()),
            "q" => Some(q()),
            "hosting" => Some(hosting()),
            _ => None,
        }
    }

    /// Returns its functions and its state machine.
    pub(super) fn whole_application(&self) -> Result<Application> {
        let application = self.application.clone();
        Ok(match self.state_machine {
            Some(machine) => application.state_machine(machine()?),
            None => application,
        })
    }
}

fn policy() -> Policy {
    Policy::new().account(REGION, ACCOUNT)
}

/// Returns the permissions of the access patterns and of the other functions.
fn service() -> Policy {
    policy().all_patterns().all_entities()
}

/// `userId` is the subject that Cognito's user pool gives: a UUID. An identity pool passes it on as
/// a tag.
fn subject() -> Identity {
    Identity::principal_tag("sub").uuid()
}

fn exam() -> Settings {
    let own = ["User", "AnswerHistory", "WeakAreaAnalytics"];
    Settings {
        model: || Model::new("exam").items::<exam::ExamItem>(),
        // "Encryption: AWS KMS"; "AWS Backup": every day.
        deployment: Deployment::new()
            .customer_key()
            .daily_backups(35)
            .dashboard(),
        // As the document lists it: the permissions of the access patterns, and no scan. Migrations
        // have a separate role.
        service: policy()
            .patterns([
                "1.1", "2.1", "2.2", "2.3", "3.1", "3.2", "3.3", "4.1", "4.2",
            ])
            .patterns([
                "integrity 1",
                "integrity 2",
                "performance 3",
                "performance 4",
            ])
            .customer_key(),
        migration: policy()
            .migrates(["User", "AnswerHistory", "WeakAreaAnalytics"])
            .customer_key(),
        user: policy()
            .customer_key()
            .reads(["User", "Question", "AnswerHistory", "WeakAreaAnalytics"])
            .writes(own)
            .isolated_by("user_id", subject()),
        state_machine: None,
        // The document's service, with a function for each group of pages.
        application: Application::new()
            .function("profile", Policy::new().patterns(["1.1"]))
            .function("questions", Policy::new().patterns(["2.1", "2.2", "2.3"]))
            .function("record-answer", Policy::new().patterns(["integrity 1"]))
            .function("history", Policy::new().patterns(["3.1", "3.2", "3.3"]))
            .function("analytics", Policy::new().patterns(["4.1", "4.2"])),
        capacity: Capacity::new()
            .stored("User", 100_000)
            .stored("Question", 10_000)
            .stored("AnswerHistory", 20_000_000)
            .stored("WeakAreaAnalytics", 1_000_000)
            .rate("1.1", Rate::per_second(20.0))
            .rate("2.2", Rate::per_second(2.0).items(800))
            .rate("2.3", Rate::per_second(10.0).items(80))
            .rate("3.1", Rate::per_second(15.0).items(50).hottest(0.001))
            // The areas of all users, in four partitions an exam.
            .rate("4.2", Rate::per_second(2.0).items(200_000))
            .rate("integrity 1", Rate::per_second(30.0).peak(4.0)),
    }
}

fn shop() -> Settings {
    Settings {
        model: || {
            Model::new("shop")
                .items::<shop::ShopItem>()
                .entity::<shop::SensorReading>()
        },
        deployment: Deployment::new(),
        service: service(),
        migration: policy().migrates(["PriceHistory"]),
        user: policy()
            .reads(["ActivityLog", "Product", "ShardedActivity"])
            .writes(["ActivityLog"])
            .isolated_by("user_id", Identity::principal_tag("user").with_only("-_")),
        state_machine: None,
        application: Application::new(),
        capacity: Capacity::new()
            .stored("PriceHistory", 5_000_000)
            .stored("ActivityLog", 200_000_000)
            // The document's popular item: nearly all users view it.
            .rate(
                "ProductActivity::put",
                Rate::per_second(2_000.0).hottest(0.9),
            )
            .rate("DailyActivity::put", Rate::per_second(2_000.0).hottest(0.9))
            .rate(
                "ShardedActivity::put",
                Rate::per_second(2_000.0).hottest(0.09),
            )
            .rate("ActivityLog::put", Rate::per_second(500.0).hottest(0.001)),
    }
}

fn booking() -> Settings {
    Settings {
        model: || {
            Model::new("booking")
                .entity::<booking::User>()
                .entity::<booking::Booking>()
                .items::<booking::CalendarItem>()
                .entity::<booking::OptionService>()
                .items::<booking::NotificationItem>()
                .entity::<booking::Terms>()
                .entity::<booking::UserAgreement>()
        },
        // "9.1 Regular backups": every day, kept for 30. "8.2": rarely used data goes to S3.
        deployment: Deployment::new()
            .customer_key()
            .daily_backups(30)
            .dashboard()
            .archive(90),
        // New terms are announced to all users.
        service: service().scans(["User"]).customer_key(),
        migration: policy().migrates(["User"]).customer_key(),
        user: policy()
            .customer_key()
            .reads([
                "User",
                "Booking",
                "Notification",
                "UnreadCount",
                "UserAgreement",
                "CalendarSlot",
            ])
            .writes(["UserAgreement"])
            .isolated_by("user_id", subject()),
        state_machine: None,
        application: Application::new(),
        capacity: Capacity::new()
            .stored("User", 10_000)
            .stored("Booking", 100_000)
            .stored("Notification", 1_000_000)
            .rate("User::get", Rate::per_second(2.0))
            .rate("Booking::create", Rate::per_day(200.0))
            .rate("Booking::by_user", Rate::per_second(1.0).items(10))
            .rate("Booking::by_status", Rate::per_second(0.5).items(50))
            .rate(
                "CalendarSlot::query",
                Rate::per_second(5.0).items(6).hottest(0.2),
            )
            .rate("Notification::put", Rate::per_day(1_000.0)),
    }
}

fn shogi() -> Settings {
    let own = ["Kifu", "Tag", "UserSettings", "AllowedUser", "Analysis"];
    Settings {
        model: || Model::new("shogi").items::<shogi::ShogiItem>(),
        deployment: Deployment::new(),
        service: service(),
        // A version of the schema for each record; settings and analyses by the hash of the user.
        migration: policy().migrates(["Kifu", "UserSettings", "Analysis"]),
        // A username has letters, digits, `-` and `_`.
        user: policy()
            .reads(own)
            .writes(["Kifu", "Tag", "UserSettings"])
            .isolated_by(
                "username",
                Identity::principal_tag("username").with_only("-_"),
            ),
        state_machine: None,
        application: Application::new(),
        capacity: Capacity::new()
            .size("Kifu", 6_000)
            .size("Analysis", 40_000)
            .stored("Kifu", 1_000_000)
            .stored("Analysis", 50_000)
            .rate("Kifu::by_created", Rate::per_second(30.0).items(20))
            .rate("Kifu::put", Rate::per_second(10.0))
            // All analyses are in one partition, which is too hot: `shogi::spread` cures it.
            .rate("Analysis::put", Rate::per_second(30.0))
            .rate("UserSettings::update", Rate::per_second(40.0)),
    }
}

fn q() -> Settings {
    let user = || Identity::principal_tag("sub").uuid();
    let own = [
        "User",
        "Answer",
        "Follow",
        "Block",
        "Reaction",
        "PushToken",
        "UserQuestionSubmission",
    ];
    Settings {
        model: || {
            Model::new("q")
                .entity::<q::User>()
                .entity::<q::DailyQuestion>()
                .entity::<q::Question>()
                .entity::<q::Answer>()
                .entity::<q::Follow>()
                .entity::<q::Block>()
                .entity::<q::Reaction>()
                .entity::<q::Report>()
                .entity::<q::UserQuestionSubmission>()
                .entity::<q::NgWord>()
                .entity::<q::PushToken>()
                .entity::<q::AdminLog>()
        },
        // "9. Naming": `{env}-{app}-{table}`.
        deployment: Deployment::new().table_prefix("dev-q-"),
        // All words are read before they are cached; a withdrawal finds reactions without an index.
        service: service()
            .table_prefix("dev-q-")
            .scans(["NgWord", "Reaction"]),
        migration: policy().migrates(["User"]).table_prefix("dev-q-"),
        user: policy()
            .table_prefix("dev-q-")
            .reads(own)
            // With write access to their own user item, users could make themselves administrators;
            // follows change counters too.
            .writes(["PushToken"])
            .isolated_by("user_id", user())
            .isolated_by("follower_id", user())
            .isolated_by("blocker_id", user()),
        state_machine: Some(|| Ok(q::logic::state_machine()?.table_prefix("dev-q-"))),
        // The stages of the withdrawal that are functions.
        application: Application::new()
            .function(
                "Answers",
                policy()
                    .reads(["Answer", "Reaction"])
                    .writes(["Answer", "Reaction"]),
            )
            .function(
                "Submissions",
                policy()
                    .reads(["User", "UserQuestionSubmission"])
                    .writes(["Question", "UserQuestionSubmission"]),
            )
            .function(
                "User",
                policy().reads(["Follow"]).writes(["Follow", "User"]),
            ),
        capacity: Capacity::new()
            .stored("User", 1_000_000)
            .stored("Answer", 100_000_000)
            .stored("Reaction", 300_000_000)
            .rate(
                "DailyQuestion::get",
                Rate::per_second(500.0).hottest(1.0).peak(20.0),
            )
            // The question is published at one moment, and all answers go into the partition of the
            // day.
            .rate(
                "Answer::create",
                Rate::per_second(12.0).hottest(1.0).peak(100.0),
            )
            .rate("Answer::by_user", Rate::per_second(20.0).items(30))
            .rate("Follow::query", Rate::per_second(100.0).items(80))
            .rate("Reaction::put", Rate::per_second(40.0).hottest(0.01))
            .rate("AdminLog::put", Rate::per_second(1.0)),
    }
}

fn hosting() -> Settings {
    // The tag has an account's name as keys have it: lower-case letters, digits and `-`.
    let name = || {
        let tag = Identity::principal_tag("name");
        tag.with_only("-").lower_case()
    };
    Settings {
        model: || Model::new("hosting").items::<hosting::HostingItem>(),
        deployment: Deployment::new()
            .customer_key()
            .auto_scaling(AutoScaling::default())
            .dashboard(),
        service: service().customer_key(),
        migration: policy().migrates(["Issue"]).customer_key(),
        user: policy()
            .customer_key()
            .reads(["User", "Star", "Membership"])
            .writes(["Star"])
            .isolated_by("name", name())
            .isolated_by("user", name()),
        state_machine: None,
        application: Application::new(),
        capacity: Capacity::new()
            .stored("User", 1_000_000)
            .stored("Repository", 5_000_000)
            .stored("Issue", 50_000_000)
            .stored("Comment", 200_000_000)
            .stored("Star", 100_000_000)
            .rate("2.4", Rate::per_second(200.0).items(26).hottest(0.05))
            .rate("3.4", Rate::per_second(100.0).items(25).hottest(0.05))
            .rate("4.1", Rate::per_second(20.0).peak(3.0))
            // A popular repository counts all its stars in one item.
            .rate("5.1", Rate::per_second(20.0).hottest(0.2).peak(10.0)),
    }
}
