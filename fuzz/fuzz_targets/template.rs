//! `template`: under libFuzzer by `cargo fuzz run template`; otherwise replays the files that it is
//! given.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| dynamo_model_fuzz::template::check(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    dynamo_model_fuzz::replay(dynamo_model_fuzz::template::check)
}
