//! The HTML report in a real headless Chromium: nothing runs, nothing overflows, both schemes, the verdict on the first screen.

use std::{fs, process::Command};

use serde_json::Value;
use ttl_audit::report::{Report, to_html};

use crate::{formats::report, formats_client::hostile};

/// Measures the page in a frame of the wanted width, and writes what it saw as its own text.
const MEASURE: &str = r#"<!DOCTYPE html><meta charset="utf-8"><body style="margin:0"><iframe id="f" style="border:0;height:800px"></iframe><pre id="o"></pre><script>
window.owned = () => { window.wasOwned = true; };
const frame = document.getElementById("f");
frame.style.width = WIDTH + "px";
frame.onload = () => {
  const page = frame.contentDocument, root = page.documentElement;
  const bottom = (selector) => { const e = page.querySelector(selector); return e ? e.getBoundingClientRect().bottom : null; };
  const wide = [...page.querySelectorAll("body *")].filter((e) => !e.closest("pre, svg") && e.getBoundingClientRect().right > WIDTH + 1);
  document.getElementById("o").textContent = JSON.stringify({
    overflow: root.scrollWidth - root.clientWidth,
    wide: wide.map((e) => e.tagName + "." + e.className),
    foreign: page.querySelectorAll("script, img, iframe, object, link, form, input").length,
    owned: !!window.wasOwned,
    heading: page.querySelector("h1").textContent,
    toDo: bottom(".card .do"),
    paper: getComputedStyle(page.body).backgroundColor,
    bars: [...page.querySelectorAll("rect.beyond")].map((e) => e.getBoundingClientRect().width > 0),
  });
};
frame.src = "report.html";
</script>"#;

fn measured(reports: &[Report], width: u32, dark: bool) -> Value {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("report.html"), to_html(reports, true)).expect("the page");
    let measure = folder.path().join("measure.html");
    fs::write(&measure, MEASURE.replace("WIDTH", &width.to_string())).expect("the measure");
    let output = Command::new("chromium")
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--allow-file-access-from-files"])
        .args(["--no-first-run", "--disable-background-networking", "--virtual-time-budget=10000", "--window-size=1400,900"])
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", measure.display()))
        .output()
        .unwrap_or_else(|error| panic!("chromium cannot be started ({error}); on Debian: apt-get install chromium"));
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let text = dom.split_once("<pre id=\"o\">").and_then(|(_, rest)| rest.split_once("</pre>")).map(|(text, _)| text).unwrap_or_default();
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_phone_and_a_desktop_show_the_verdict_first_and_scroll_downwards_only() {
    for (width, dark) in [(390, false), (1280, true)] {
        let seen = measured(&[report(30)], width, dark);
        assert_eq!(seen["overflow"], 0, "{width}: {seen}");
        assert_eq!(seen["wide"], Value::Array(Vec::new()), "{width}: {seen}");
        assert!(seen["toDo"].as_f64().is_some_and(|bottom| bottom < 800.0), "{width}: {seen}");
        assert!(seen["bars"].as_array().is_some_and(|bars| !bars.is_empty() && bars.iter().all(|bar| bar == true)), "{seen}");
    }
}

/// The shipped reports with everything in them, by day too.
#[test]
fn shipped_reports_fit_a_phone_and_say_what_to_do_on_its_first_screen() {
    for audit in ["meridian", "fleet", "buckets"] {
        let output = crate::harness::ttl_audit()
            .args(["check", "--offline", "--by-day", "--format", "json"])
            .arg(format!("audits/{audit}"))
            .output()
            .expect("it runs");
        let report: Report = serde_json::from_slice(&output.stdout).expect("a report");
        let seen = measured(&[report], 390, false);
        assert_eq!((&seen["overflow"], &seen["wide"]), (&0.into(), &Value::Array(Vec::new())), "{audit}: {seen}");
        assert!(seen["toDo"].as_f64().is_some_and(|bottom| bottom < 800.0), "{audit}: {seen}");
    }
}

#[test]
fn light_and_dark_follow_the_readers_scheme() {
    let [light, dark] = [false, true].map(|dark| measured(&[report(0)], 1280, dark)["paper"].clone());
    assert_eq!((light.as_str(), dark.as_str()), (Some("rgb(251, 250, 247)"), Some("rgb(20, 22, 26)")));
}

#[test]
fn a_hostile_name_is_text_and_runs_nothing() {
    let report = hostile();
    let seen = measured(std::slice::from_ref(&report), 390, false);
    assert_eq!((&seen["foreign"], &seen["owned"], &seen["overflow"]), (&0.into(), &false.into(), &0.into()), "{seen}");
    let heading = report.audit.replace(['\u{202e}', '\u{1b}'], "\u{fffd}");
    assert_eq!(seen["heading"], heading);
}
