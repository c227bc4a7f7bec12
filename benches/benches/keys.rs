//! Key encoding, with criterion's statistics; `ratios` gives the summary.

use criterion::{Criterion, criterion_group, criterion_main};
use dynamo_model_benches::keys::{CASES, Values};
use std::hint::black_box;

fn keys(criterion: &mut Criterion) {
    let values = Values::ordinary();
    for case in CASES {
        let mut group = criterion.benchmark_group(case.name);
        for contender in [&case.ours].into_iter().chain(case.rivals) {
            group.bench_function(contender.name, |b| {
                b.iter(|| (contender.run)(black_box(&values)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, keys);
criterion_main!(benches);
