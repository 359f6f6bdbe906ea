//! Tests what `solve -o` does to existing files, and what it never does.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Stdio;

use super::{BOARD_1, BOARD_2, Desk, Ran, open, tabuleiro};

#[test]
fn the_input_is_never_the_output() {
    let desk = Desk::new().file("entrada.txt", BOARD_1).file("sub/x", "");
    fs::hard_link(desk.at("entrada.txt"), desk.at("hard.txt")).unwrap();
    symlink("entrada.txt", desk.at("soft.txt")).unwrap();
    let absolute = desk.at("entrada.txt");
    let spelled = ["entrada.txt", "./entrada.txt", "sub/../entrada.txt", "hard.txt", "soft.txt"];
    for output in spelled.into_iter().chain(absolute.to_str()) {
        let ran = desk.run(&format!("solve -i entrada.txt -o {output}")).exit(64).out("");
        ran.err_says(&["input and output are the same file"]);
        assert_eq!(desk.read("entrada.txt"), BOARD_1);
    }
    // Nor through redirections of the shell.
    let solve = "solve --solver checkers-capture -o entrada.txt";
    desk.run_on(solve, open(desk.at("entrada.txt")), Stdio::piped()).exit(64);
    let appending = fs::File::options().append(true).open(desk.at("entrada.txt")).unwrap();
    desk.run_on("solve -i entrada.txt", Stdio::null(), appending.into()).exit(64);
    assert_eq!(desk.read("entrada.txt"), BOARD_1);
    desk.run("solve -i none.txt -o ./none.txt").exit(64);
    assert_eq!(desk.names(), ["entrada.txt", "hard.txt", "soft.txt", "sub"]);
    // A device can be both.
    desk.run("solve --solver jump-game -i /dev/null -o /dev/null").exit(65).err_says(&["empty"]);
}

#[test]
fn an_earlier_result_survives_whatever_has_no_result() {
    let desk = Desk::new()
        .file("saida.txt", "earlier\n")
        .file("empty-entrada.txt", "")
        .file("words-entrada.txt", "word\n".repeat(50_000))
        .file("gzip-entrada.txt", b"\x1f\x8b\x08\0")
        .file("directive-entrada.txt", format!("#: gaol = 4\n{BOARD_1}"))
        .file("entrada.txt", BOARD_1)
        .file("bad.toml", "x = 1");
    let names = desk.names();
    for (command, exit) in [
        ("-i empty-entrada.txt", 65),
        ("-i words-entrada.txt", 65),
        ("-i gzip-entrada.txt", 65),
        ("-i directive-entrada.txt", 65),
        ("-i entrada.txt --set witness=x", 64),
        ("-i entrada.txt --solver x", 64),
        ("-i bad.toml", 64),
        ("-i missing.txt", 66),
        ("-i entrada.txt --config bad.toml", 78),
    ] {
        desk.run(&format!("solve {command} -o saida.txt")).exit(exit).out("");
        assert_eq!(desk.read("saida.txt"), "earlier\n", "{command}");
        desk.run(&format!("solve {command} -o new.txt")).exit(exit).out("");
        assert_eq!(desk.names(), names, "{command}");
    }
    // A rejected file also leaves nothing on standard output.
    desk.run("solve -i directive-entrada.txt").exit(65).out("");
    desk.run_with("solve --solver jump-game", "word\n").exit(65).out("").err_says(&["no puzzle for"]);
}

#[test]
fn a_result_replaces_a_longer_one_and_leaves_nothing_beside() {
    let desk = Desk::new().file("entrada.txt", BOARD_2).file("saida.txt", "a longer result\n");
    fs::set_permissions(desk.at("saida.txt"), Permissions::from_mode(0o640)).unwrap();
    desk.run("solve -i entrada.txt -o saida.txt").exit(0);
    assert_eq!(desk.read("saida.txt"), "2\n");
    assert_eq!(fs::metadata(desk.at("saida.txt")).unwrap().mode() & 0o777, 0o640);
    let desk = desk.file("entrada.txt", "0 0\n");
    desk.run("solve -i entrada.txt -o saida.txt").exit(0);
    assert_eq!(desk.read("saida.txt"), "");
    assert_eq!(desk.names(), ["entrada.txt", "saida.txt"]);
}

#[test]
fn links_stay_links() {
    let desk = Desk::new().file("entrada.txt", BOARD_2).file("real/saida.txt", "longer\n");
    symlink("real/saida.txt", desk.at("soft.txt")).unwrap();
    symlink("real/new.txt", desk.at("dangling.txt")).unwrap();
    for link in ["soft.txt", "dangling.txt"] {
        desk.run(&format!("solve -i entrada.txt -o {link}")).exit(0);
        assert!(fs::symlink_metadata(desk.at(link)).unwrap().is_symlink());
    }
    assert_eq!((desk.read("real/saida.txt"), desk.read("real/new.txt")), ("2\n".into(), "2\n".into()));
    // A file with two names keeps both.
    fs::write(desk.at("real/saida.txt"), "longer\n").unwrap();
    fs::hard_link(desk.at("real/saida.txt"), desk.at("hard.txt")).unwrap();
    desk.run("solve -i entrada.txt -o hard.txt").exit(0);
    assert_eq!((desk.read("real/saida.txt"), desk.read("hard.txt")), ("2\n".into(), "2\n".into()));
}

#[test]
fn outputs_that_cannot_be_created_give_73() {
    let desk = Desk::new().file("entrada.txt", BOARD_1).file("file", "");
    fs::create_dir(desk.at("folder")).unwrap();
    let long = "x".repeat(300);
    for output in ["missing/saida.txt", "file/saida.txt", "folder", "folder/", "new/", ".", &long] {
        let ran = desk.run(&format!("solve -i entrada.txt -o {output}")).exit(73).out("");
        ran.err_says(&["cannot create"]);
    }
    assert_eq!(desk.names(), ["entrada.txt", "file", "folder"]);
}

#[test]
fn pipes_and_the_shell_s_own_files_are_written_as_they_are() {
    let desk = Desk::new().file("entrada.txt", BOARD_2).file("all.txt", "before\n");
    desk.run("solve -i entrada.txt -o /dev/stdout").exit(0).out("2\n");
    let appending = || fs::File::options().append(true).open(desk.at("all.txt")).unwrap().into();
    for command in ["solve -i entrada.txt -o /dev/stdout", "solve -i entrada.txt"] {
        desk.run_on(command, Stdio::null(), appending()).exit(0);
    }
    assert_eq!(desk.read("all.txt"), "before\n2\n2\n");

    nix::unistd::mkfifo(&desk.at("fifo"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let fifo = desk.at("fifo");
    let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
    desk.run("solve -i entrada.txt -o fifo").exit(0);
    assert_eq!(reader.join().unwrap(), "2\n");

    let mut process = tabuleiro();
    process.args(["solve", "--solver", "checkers-capture", "-i", "fifo"]).current_dir(desk.0.path());
    let child = process.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    fs::write(desk.at("fifo"), BOARD_1).unwrap();
    Ran::new("solve -i fifo", child.wait_with_output().unwrap()).exit(0).out("1\n");
}
