//! `cursor`: under libFuzzer by `cargo fuzz run cursor`; otherwise replays the files that it is
//! given.

#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|data: &[u8]| dynamo_model_fuzz::cursor::check(data));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    dynamo_model_fuzz::replay(dynamo_model_fuzz::cursor::check)
}
