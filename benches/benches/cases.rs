//! Every case, with criterion's statistics; `ratios` gives the summary.

use criterion::{Criterion, criterion_group, criterion_main};
use dynamo_model_benches::cases;

fn all(criterion: &mut Criterion) {
    for case in cases() {
        let mut group = criterion.benchmark_group(case.name);
        for contender in case.contenders() {
            group.bench_function(contender.name, |b| b.iter(|| (contender.run)()));
        }
        group.finish();
    }
}

criterion_group!(benches, all);
criterion_main!(benches);
