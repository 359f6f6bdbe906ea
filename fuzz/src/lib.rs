//! The bodies of the fuzz targets. They live in [`checks`], which the package's own tests include as well, so that
//! machines without a fuzzer also check every file of the corpora.

pub mod checks;
