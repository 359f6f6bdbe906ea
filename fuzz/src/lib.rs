//! The bodies of the fuzz targets. They stand in [`checks`], which the package's own tests include as well, so
//! that every file of the corpora is checked on machines without a fuzzer too.

pub mod checks;
