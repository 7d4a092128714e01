//! Projects in C and in C++ that CMake builds with the installed package, and nothing else.
//!
//! Invariant: each project is a copy in a temporary folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use super::{Installed, expect, source, with_pool};
use crate::tools::{output, succeed};

/// The programs that CMake writes rules for.
const GENERATORS: [(&str, &str); 2] = [("ninja", "Ninja"), ("make", "Unix Makefiles")];

/// The trials.
pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("install::cmake::settings", settings),
        Trial::test("install::cmake::wrong_arguments", wrong_arguments),
        Trial::test("install::cmake::found_elsewhere", found_elsewhere),
        Trial::test("install::cmake::two_runtimes", two_runtimes),
        Trial::test("install::cmake::library_for_others", library_for_others),
    ];
    for (name, generator) in GENERATORS {
        trials.push(Trial::test(format!("install::cmake::c::{name}"), || c(generator)));
        trials.push(Trial::test(format!("install::cmake::cpp::{name}"), || cpp(generator)));
    }
    trials
}

/// A project with its folder of results, and the installation that it finds.
struct Project<'a> {
    installed: &'a Installed,
    folder: PathBuf,
    build: PathBuf,
}

impl<'a> Project<'a> {
    /// A project whose rules are this text.
    fn of_text(installed: &'a Installed, text: &str) -> Result<Self, Failed> {
        let project = Self::at(installed, "project");
        fs::create_dir_all(&project.folder)?;
        fs::write(project.folder.join("CMakeLists.txt"), text)?;
        Ok(project)
    }

    /// The project in C.
    fn in_c(installed: &'a Installed) -> Result<Self, Failed> {
        let project = Self::at(installed, "project");
        copy(&source("shared"), &project.folder.join("shared"))?;
        for file in ["CMakeLists.txt", "main.c", "sums.arr", "scale.arr"] {
            fs::copy(source(file), project.folder.join(file))?;
        }
        Ok(project)
    }

    /// The project in C++, in a folder of this name.
    fn in_cpp(installed: &'a Installed, name: &str) -> Result<Self, Failed> {
        let project = Self::at(installed, name);
        copy(&source("cpp"), &project.folder)?;
        for file in ["sums.arr", "scale.arr"] {
            fs::copy(source(file), project.folder.join("src").join(file))?;
        }
        Ok(project)
    }

    fn at(installed: &'a Installed, name: &str) -> Self {
        let build = installed.at(&format!("{name}-build"));
        Self { installed, folder: installed.at(name), build }
    }

    /// The command that writes the rules. CMake finds the package by the folder of the program.
    fn configure(&self, generator: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", self.installed.prefix("bin").display());
        let mut cmake = Command::new("cmake");
        cmake.env("PATH", path).args(["-G", generator, "-S"]).arg(&self.folder);
        cmake.arg("-B").arg(&self.build);
        cmake
    }

    /// Builds the targets that are out of date, and gives the output.
    fn make(&self) -> Result<String, Failed> {
        succeed(Command::new("cmake").arg("--build").arg(&self.build))
    }

    fn run(&self, program: &str) -> Result<String, Failed> {
        succeed(&mut Command::new(self.build.join(program)))
    }

    /// The programs in Arr that `make` compiles after a file was written.
    fn compiled_after(&self, file: &str, text: &str) -> Result<Vec<String>, Failed> {
        fs::write(self.folder.join(file), text)?;
        let told = self.make()?;
        let words = told.lines().filter_map(|line| line.split("Compiling ").nth(1));
        Ok(words.map(str::to_owned).collect())
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> Result<(), Failed> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &place)?;
        } else {
            fs::copy(entry.path(), place)?;
        }
    }
    Ok(())
}

fn equal<T: PartialEq + std::fmt::Debug>(found: &T, expected: &T) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}").into()) }
}

/// A project finds the package, compiles a program into targets, and compiles again when a file that it imports changes.
fn c(generator: &str) -> Result<(), Failed> {
    let installed = Installed::new()?;
    let project = Project::in_c(&installed)?;
    let prefix = format!("-DCMAKE_PREFIX_PATH={}", installed.at("prefix").display());
    succeed(project.configure(generator).env_remove("PATH").env("PATH", "/usr/bin").arg(prefix))?;
    project.make()?;
    expect(&project.run("main")?, &with_pool())?;
    project.run("shared/of_shared")?;
    let twice = project.make()?;
    if twice.contains("Compiling") {
        return Err(format!("nothing has changed:\n{twice}").into());
    }
    let compiled = project.compiled_after("scale.arr", "def scale (x: f64): f64 = 3 * x\n")?;
    equal(&compiled.len(), &2)?;
    expect(&project.run("main")?, "21 with a pool")
}

/// A project in C++ only has a program in several libraries, and one that the build makes. Messages, and so the objects, name
/// each program as it is below the project.
fn cpp(generator: &str) -> Result<(), Failed> {
    let installed = Installed::new()?;
    let project = Project::in_cpp(&installed, "project")?;
    succeed(&mut project.configure(generator))?;
    project.make()?;
    equal(&project.run("main")?.as_str(), &"14 14\nmade.arr:2:40: division by zero\n")?;
    let compiled = project.compiled_after("src/scale.arr", "def scale (x: f64): f64 = 3 * x\n")?;
    equal(&compiled, &vec!["src/sums.arr".to_owned(); 2])?;
    expect(&project.run("main")?, "21 21")?;
    equal(&project.compiled_after("src/main.cpp", "int main() {}\n")?, &Vec::new())?;
    let other = Project::in_cpp(&installed, "other")?;
    succeed(&mut other.configure(generator))?;
    let target = ["--build", "--target", "ratio"];
    succeed(Command::new("cmake").args([target[0]]).arg(&other.build).args(&target[1..]))?;
    let object = |project: &Project<'_>| fs::read(project.build.join("ratio.arr.dir/ratio.o"));
    if object(&project)? == object(&other)? {
        Ok(())
    } else {
        Err("the object depends on the folder of the project".into())
    }
}

/// Variables of CMake are the defaults of all libraries of a project, and configurations for debuggers have the lines.
fn settings() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let text = "cmake_minimum_required(VERSION 3.20)\nproject(settings C)\nfind_package(arr REQUIRED)\n\
                arr_add_library(sums sums.arr)\nadd_executable(main main.c)\n\
                target_link_libraries(main PRIVATE sums)\n";
    let project = Project::of_text(&installed, text)?;
    for file in ["main.c", "sums.arr", "scale.arr"] {
        fs::copy(source(file), project.folder.join(file))?;
    }
    let run = |settings: &[&str]| {
        let _ = fs::remove_dir_all(&project.build);
        succeed(project.configure("Ninja").args(settings))?;
        project.make()?;
        let lines = succeed(
            Command::new("objdump").arg("--dwarf=decodedline").arg(project.build.join("main")),
        )?;
        Ok::<_, Failed>((project.run("main")?, lines.contains("sums.arr")))
    };
    let (told, has_lines) = run(&["-DARR_THREADS=OFF", "-DARR_CPU=native"])?;
    expect(&told, "there is no pool")?;
    equal(&has_lines, &false)?;
    let (told, has_lines) = run(&["-DARR_RUNTIME=Shared", "-DCMAKE_BUILD_TYPE=Debug"])?;
    expect(&told, &with_pool())?;
    equal(&has_lines, &true)?;
    let needed = succeed(Command::new("readelf").arg("-d").arg(project.build.join("main")))?;
    expect(&needed, "libarr.so.10")?;
    succeed(project.configure("Ninja").arg("-DARR_CPU=no-such"))?;
    let refused = output(Command::new("cmake").arg("--build").arg(&project.build))?;
    expect(&String::from_utf8_lossy(&refused.stdout), "`no-such` is no x86_64 processor")
}

/// Arguments that `arr_add_library` refuses, and its messages.
fn wrong_arguments() -> Result<(), Failed> {
    let installed = Installed::new()?;
    for (arguments, message) in [
        ("THREADS 4", "THREADS is `4`, and can be `ON` or `OFF`"),
        ("CPU", "CPU has no value"),
        ("RUNTIME arr::shared", "RUNTIME is `arr::shared`, and can be `Static` or `Shared`"),
        ("RUNTIME Shared THREADS OFF", "the shared runtime has the pool of threads inside"),
        ("BINDINGS rust", "BINDINGS is `rust`, and can be `cpp`"),
        ("--prefix=my_", "unknown arguments --prefix=my_"),
        ("", "enable a language first"),
    ] {
        let text = format!(
            "cmake_minimum_required(VERSION 3.20)\nproject(wrong NONE)\nfind_package(arr REQUIRED)\n\
             arr_add_library(sums sums.arr {arguments})\n"
        );
        let refused = output(&mut Project::of_text(&installed, &text)?.configure("Ninja"))?;
        expect(&one_line(&refused.stderr), message)?;
    }
    Ok(())
}

/// The function is known in all folders, and the targets in that of the package.
fn found_elsewhere() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let text = "cmake_minimum_required(VERSION 3.20)\nproject(elsewhere NONE)\nadd_subdirectory(folder)\n\
                arr_add_library(sums sums.arr)\n";
    let project = Project::of_text(&installed, text)?;
    fs::create_dir(project.folder.join("folder"))?;
    fs::write(project.folder.join("folder/CMakeLists.txt"), "find_package(arr REQUIRED)\n")?;
    let refused = output(&mut project.configure("Ninja"))?;
    expect(&one_line(&refused.stderr), "the package was found in another folder")
}

/// A message of CMake, which breaks lines.
fn one_line(text: &[u8]) -> String {
    String::from_utf8_lossy(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// CMake refuses a program with the static and the shared runtime.
fn two_runtimes() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let text = "cmake_minimum_required(VERSION 3.20)\nproject(two C)\nfind_package(arr 0.2...0.9 REQUIRED)\n\
                arr_add_library(one a.arr RUNTIME Shared)\narr_add_library(other b.arr)\n\
                add_executable(main main.c)\ntarget_link_libraries(main PRIVATE one other)\n";
    let project = Project::of_text(&installed, text)?;
    fs::write(project.folder.join("main.c"), "int main(void) { return 0; }\n")?;
    let refused = output(&mut project.configure("Ninja"))?;
    expect(&String::from_utf8_lossy(&refused.stderr), "The INTERFACE_ARR_RUNTIME property of")
}

/// A library is installed with its headers, and another project links it.
fn library_for_others() -> Result<(), Failed> {
    let installed = Installed::new()?;
    let project = Project::in_cpp(&installed, "project")?;
    succeed(&mut project.configure("Ninja"))?;
    project.make()?;
    let place = installed.at("place");
    let mut install = Command::new("cmake");
    succeed(install.arg("--install").arg(&project.build).arg("--prefix").arg(&place))?;
    fs::remove_dir_all(&project.build)?;
    let user = Project::at(&installed, "project/user");
    succeed(user.configure("Ninja").arg(format!("-DRATIO={}", place.display())))?;
    user.make()?;
    equal(&user.run("user")?.as_str(), &"3\nsrc/ratio.arr:2:40: division by zero\n")
}
