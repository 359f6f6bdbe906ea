//! Tests `results.readers = "owner"`: only the owner of a dropped file, and the group, can read its outputs.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{BOARD_1, BOARD_2, Place, Service, run_in};

const OWNER: &str = "[intake]\nquiet_period = \"50ms\"\nrescan_interval = \"1h\"\n[results]\nreaders = \"owner\"\nmode = \"0666\"\n\
                     formats = [\"txt\", \"json\"]\n";
/// Users that own files but have no account.
const ANA: u32 = 42_421;
const BIA: u32 = 42_422;

/// Returns whether the test may give files to other users. The booted container also tries it with members of a group.
fn files_can_be_given() -> bool {
    let file = tempfile::NamedTempFile::new().unwrap();
    let can = chown(file.path(), Some(ANA), None).is_ok() && can(ANA, "cat", file.path());
    if !can {
        eprintln!("SKIPPED: files cannot be given to others here");
    }
    can
}

/// Returns whether a command succeeds for a user who is in none of the service's groups.
fn can(user: u32, command: &str, path: &Path) -> bool {
    let ids = [format!("--reuid={user}"), format!("--regid={user}")];
    let mut command_line = Command::new("setpriv");
    command_line.args(ids).args(["--clear-groups", command]).arg(path);
    command_line.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Gives a file below the place to a user.
fn give(place: &Place, path: &str, user: u32) {
    chown(place.at(path), Some(user), Some(user)).unwrap();
}

/// Drops a file that a user owns.
fn drop_for(service: &Service, path: &str, content: &str, user: u32) {
    fs::write(service.at("new"), content).unwrap();
    chown(service.at("new"), Some(user), Some(user)).unwrap();
    fs::rename(service.at("new"), service.at("inbox").join(path)).unwrap();
}

/// Returns a place that everybody can pass through, with folders of the inbox for the two users.
fn place() -> Place {
    let place = Place::new().config(OWNER).file("outbox/note.txt", "");
    let folders = [("inbox/turma/ana", ANA), ("inbox/turma/bia", BIA), ("inbox/turma/bia-2", BIA)];
    for (folder, user) in folders {
        fs::create_dir_all(place.at(folder)).unwrap();
        give(&place, folder, user);
    }
    for folder in ["", "outbox"] {
        fs::set_permissions(place.at(folder), Permissions::from_mode(0o711)).unwrap();
    }
    place
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn outputs_are_read_by_the_owner_of_the_dropped_file_and_by_no_other_student() {
    if !files_can_be_given() {
        return;
    }
    // A claim left by an earlier run still belongs to its owner.
    let left = "var/work/20261121T121744.123456Z=turma%2Fbia%2Fleft-entrada.txt";
    let place = place().file(left, BOARD_2);
    give(&place, left, BIA);
    let service = place.start();
    drop_for(&service, "turma/ana/entrada.txt", BOARD_1, ANA);
    drop_for(&service, "turma/ana/letter-entrada.txt", "Dear teacher", ANA);
    drop_for(&service, "turma/bia/entrada.txt", BOARD_2, BIA);
    // Another name for a file does not make another file.
    fs::write(service.at("linked"), BOARD_1).unwrap();
    chown(service.at("linked"), Some(ANA), Some(ANA)).unwrap();
    fs::hard_link(service.at("linked"), service.at("inbox/turma/bia/linked-entrada.txt")).unwrap();
    service.drop_file("turma/ours-entrada.txt", BOARD_1);
    // A student's folder belongs to the student even if the teacher drops the first file.
    service.drop_file("turma/bia-2/entrada.txt", BOARD_1);
    let mut seen = 0;
    for (output, reader) in [
        ("ana/saida.txt", Some(ANA)),
        ("ana/saida.json", Some(ANA)),
        ("ana/letter-erro.txt", Some(ANA)),
        ("bia/saida.txt", Some(BIA)),
        ("bia/left-saida.txt", Some(BIA)),
        ("bia/linked-saida.txt", Some(ANA)),
        ("ours-saida.txt", None),
        ("bia-2/saida.txt", None),
    ] {
        service.expect_some(&format!("turma/{output}"));
        let path = service.at("outbox/turma").join(output);
        assert_eq!(mode(&path), 0o640, "{output}");
        for user in [ANA, BIA] {
            assert_eq!(can(user, "cat", &path), reader == Some(user), "{output} by {user}");
            seen += 1;
        }
        assert!(!can(ANA, "truncate", &path));
    }
    assert_eq!(seen, 16);
    let shared = service.at("outbox/turma");
    for (folder, lists) in [("", None), ("ana", Some(ANA)), ("bia", Some(BIA)), ("bia-2", Some(BIA))] {
        let folder = shared.join(folder);
        for user in [ANA, BIA] {
            assert_eq!(can(user, "ls", &folder), lists == Some(user), "{} by {user}", folder.display());
        }
        // With an access list, the bits of the group limit what the list gives: only reading.
        assert_eq!(mode(&folder), 0o751);
    }
    service.wait_until_idle(0);
    // An input that goes back into the inbox is the same file, and its answer stays private.
    let output = run_in(&service.at(""), &["retry", "turma/ana/entrada.txt"], "");
    assert!(output.status.success(), "{output:?}");
    service.wait_until_idle(0);
    service.expect("turma/ana/saida.txt", "1\n");
    let again = shared.join("ana/saida.txt");
    assert!(can(ANA, "cat", &again) && !can(BIA, "cat", &again));
}

#[test]
fn what_everybody_may_look_into_is_told_with_what_closes_it() {
    let place = Place::new().config(&format!("{OWNER}[control]\nmode = \"0666\"\n"));
    let service = place.file("outbox/note.txt", "").start();
    for folder in ["", "outbox", "inbox", "var", "var/done"] {
        fs::set_permissions(service.at(folder), Permissions::from_mode(0o755)).unwrap();
    }
    let told = || String::from_utf8(run_in(&service.at(""), &["check-config"], "").stderr).unwrap();
    let is_told = |text: &str| told().contains(text);
    let chmod = |bits: &str, folder: &str| format!("chmod {bits} {}\n", service.at(folder).display());
    for (bits, folder) in [("o-r", "inbox"), ("o-r", "outbox"), ("o-rwx", "var")] {
        assert!(is_told(&chmod(bits, folder)), "{folder}: {}", told());
    }
    assert!(is_told("control.mode = \"0666\" lets everybody ask"), "{}", told());
    // The service warns when it reads the configuration.
    service.reload(OWNER);
    service.wait_for_log("warning: |everybody may look into|/outbox");
    assert!(!is_told("control.mode"), "{}", told());
    for (folder, mode) in [("outbox", 0o751), ("inbox", 0o751), ("var", 0o750)] {
        fs::set_permissions(service.at(folder), Permissions::from_mode(mode)).unwrap();
    }
    assert_eq!(told(), "");
    // If the folder is closed too far, no owner gets in.
    fs::set_permissions(service.at("outbox"), Permissions::from_mode(0o750)).unwrap();
    service.reload(OWNER);
    service.wait_for_log("warning: |nobody except the group gets into|chmod o+x");
    service.reload("[results]\nreaders = \"group\"\n");
}
