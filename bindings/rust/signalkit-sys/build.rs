//! Finds the library: below `SIGNALKIT_PREFIX`, if that is set, otherwise as pkg-config says.

use std::{env, process::Command};

fn main() {
    println!("cargo:rerun-if-env-changed=SIGNALKIT_PREFIX");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    println!("cargo:rustc-link-lib=signalkit");
    if let Ok(prefix) = env::var("SIGNALKIT_PREFIX") {
        println!("cargo:rustc-link-search=native={prefix}/lib");
        return;
    }
    let version = env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    let program = env::var("PKG_CONFIG").unwrap_or_else(|_| "pkg-config".into());
    let package = format!("signalkit >= {version}");
    match Command::new(program).args(["--libs-only-L", "--print-errors", &package]).output() {
        Ok(found) if found.status.success() => {
            let flags = String::from_utf8_lossy(&found.stdout);
            let paths = flags.split_whitespace().filter_map(|flag| flag.strip_prefix("-L"));
            paths.for_each(|path| println!("cargo:rustc-link-search=native={path}"));
        }
        Ok(failed) => {
            panic!("{}Set SIGNALKIT_PREFIX to where it is installed.", String::from_utf8_lossy(&failed.stderr))
        }
        Err(error) => panic!("pkg-config: {error}. Set SIGNALKIT_PREFIX to where signalkit is installed."),
    }
}
