//! Links LLVM's archives into the extension, where the feature `static` asks for that.
//!
//! Invariant: the extension has no names that others see, so it lives beside any other LLVM and any other runtime in a process.
//! With the feature, it needs nothing of the system but C's own libraries.

use std::env;
use std::process::Command;

/// The components of LLVM that the compiler uses.
const COMPONENTS: [&str; 7] =
    ["x86", "aarch64", "passes", "bitreader", "bitwriter", "irreader", "executionengine"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo::rustc-link-arg-cdylib=-Wl,--exclude-libs,ALL");
    if env::var_os("CARGO_FEATURE_STATIC").is_some() {
        link_llvm();
    }
}

fn link_llvm() {
    let config = env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-22".to_owned());
    let ask = |arguments: &[&str]| {
        let output = Command::new(&config).args(arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{config} cannot be run: {error}"));
        assert!(output.status.success(), "{config} knows {arguments:?}");
        String::from_utf8(output.stdout).expect("names of libraries are text")
    };
    let folder = ask(&["--link-static", "--libdir"]);
    let libraries = ask(&[&["--link-static", "--libs"][..], &COMPONENTS].concat());
    let mut arguments = vec![format!("-L{}", folder.trim()), "-Wl,--start-group".to_owned()];
    arguments.extend(libraries.split_whitespace().map(str::to_owned));
    let rest = [
        "-Wl,--end-group",
        "-l:libzstd.a",
        "-l:libz.a",
        "-l:libstdc++.a",
        "-lm",
        "-Wl,--gc-sections",
    ];
    arguments.extend(rest.map(str::to_owned));
    for argument in arguments {
        println!("cargo::rustc-link-arg-cdylib={argument}");
    }
}
