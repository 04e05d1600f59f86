//! Tables without borders, so that what stands in them can be copied.

use comfy_table::{ContentArrangement, Table, presets};

/// A table with a heading for each column; nothing is wrapped or cut.
pub(super) fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headings.iter().map(|heading| heading.to_uppercase()));
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    let mut text: String = table.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_nothing_is_cut() {
        let long = "x".repeat(300);
        let text =
            table(&["robot", "try"], [vec!["misty-1".into(), long.clone()], vec!["a".into(), "b".into()]]);
        assert_eq!(text, format!("ROBOT    TRY\nmisty-1  {long}\na        b"));
    }
}
