//! Parses days and periods as people write them: `20 Dec`, `until Friday`, `2 weeks`.

use crate::base::time::{Day, MONTHS, WEEKDAYS, find_name};

/// A range of days, both ends included. Without `from` it begins today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Period {
    pub from: Option<Day>,
    pub to: Day,
}

/// The reason why words are not a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeriodError {
    /// The words name no days.
    Unknown,
    /// The words have two meanings.
    Ambiguous(Period, Period),
}

/// The most words that are parsed.
const MOST_WORDS: usize = 16;

/// Parses a period: one day, two days, a duration, or a day and a duration. A day without a year is
/// the next day of that date, `today` included.
///
/// # Errors
/// The words name no days, or have two meanings (`3/4` is a day in March or in April).
pub(crate) fn parse_period(words: &[&str], today: Day) -> Result<Period, PeriodError> {
    let words = tokens(words);
    if words.len() > MOST_WORDS {
        return Err(PeriodError::Unknown);
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut found: Vec<Period> = Vec::new();
    let mut add = |period: Period| {
        if !found.contains(&period) {
            found.push(period);
        }
    };
    for to in read_days(&words, today) {
        add(Period { from: None, to });
    }
    if let Some(count) = duration(&words) {
        add(Period { from: None, to: today.plus(count - 1) });
    }
    for at in 1..words.len() {
        let (first, second) = words.split_at(at);
        let begins = read_days(first, today);
        for from in &begins {
            if let Some(count) = duration(second) {
                add(Period { from: Some(*from), to: from.plus(count - 1) });
            }
            // `28 Dec - 3 Jan`: the end is the next 3 January after the start.
            for to in read_days(second, *from) {
                add(Period { from: Some(*from), to });
            }
        }
        for to in read_days(second, today).into_iter().filter(|_| begins.is_empty()) {
            // `20-27 Dec`
            let same = day_number(first).map(|day| (day, to.year(), to.month()));
            let from = same.and_then(|(day, year, month)| Day::of(year, month, day));
            if let Some(from) = from.filter(|from| *from <= to) {
                add(Period { from: Some(from), to });
            }
        }
        for from in begins {
            // `Dec 20-27`
            let to = day_number(second).and_then(|day| Day::of(from.year(), from.month(), day));
            if let Some(to) = to.filter(|to| *to >= from) {
                add(Period { from: Some(from), to });
            }
        }
    }
    match found[..] {
        [] => Err(PeriodError::Unknown),
        [one] => Ok(one),
        [one, other, ..] => Err(PeriodError::Ambiguous(one, other)),
    }
}

/// Words around days without a meaning of their own.
const FILLERS: &str = "\
    from until till til to through thru up for on the of this next and between inclusive including \
    starting beginning ending -";

/// Splits the words into tokens in lower case, without punctuation and without the words of
/// [`FILLERS`].
fn tokens(words: &[&str]) -> Vec<String> {
    let line = words.join(" ").to_lowercase().replace(['\u{2013}', '\u{2014}'], " - ");
    let mut tokens = Vec::new();
    for word in line.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()) {
        match word.split_once('-') {
            // `20-27`, `20.12.-27.12.`: not the dashes of `2026-12-20`.
            Some((first, second)) if second.len() > 1 && !second.contains('-') => {
                tokens.extend([first.to_owned(), second.to_owned()]);
            }
            _ => tokens.push(word.to_owned()),
        }
    }
    tokens.retain(|word| !word.is_empty() && FILLERS.split(' ').all(|filler| filler != word));
    tokens
}

/// Returns the days that the words may name: none, one, or two if day and month can be swapped.
fn read_days(words: &[&str], today: Day) -> Vec<Day> {
    match words {
        ["today"] => vec![today],
        ["tomorrow"] => vec![today.plus(1)],
        [word] => weekday(word, today).map_or_else(|| numeric(word, today), |day| vec![day]),
        [first, second, rest @ ..] => {
            let year = match rest {
                [] => None,
                [year] => match year.parse() {
                    Ok(year @ 1000..) => Some(year),
                    _ => return Vec::new(),
                },
                _ => return Vec::new(),
            };
            let named = match (month(first), month(second)) {
                (Some(month), None) => day_number(&[*second]).map(|day| (day, month)),
                (None, Some(month)) => day_number(&[*first]).map(|day| (day, month)),
                _ => None,
            };
            named.and_then(|(day, month)| dated(year, month, day, today)).into_iter().collect()
        }
        [] => Vec::new(),
    }
}

/// Returns the days that a numeric date may name: `2026-12-20`, `20.12.2026`, `20.12.`, `12/20/26`.
fn numeric(word: &str, today: Day) -> Vec<Day> {
    if let Some(day) = Day::parse(word) {
        return vec![day];
    }
    let Some(sign) = word.chars().find(|sign| ['.', '/'].contains(sign)) else {
        return Vec::new();
    };
    let numbers = word.trim_end_matches('.').split(sign).map(str::parse::<u32>);
    let Ok(numbers) = numbers.collect::<Result<Vec<u32>, _>>() else { return Vec::new() };
    let (year, day, month) = match numbers[..] {
        [year, month, day] if year >= 1000 => return of_year(year, month, day),
        [first, second] => (None, first, second),
        [first, second, year] => (Some(if year < 100 { year + 2000 } else { year }), first, second),
        _ => return Vec::new(),
    };
    let year = year.and_then(|year| i32::try_from(year).ok());
    // In dates with dots the day comes first.
    let orders = if sign == '.' || day == month {
        vec![(day, month)]
    } else {
        vec![(day, month), (month, day)]
    };
    orders.into_iter().filter_map(|(day, month)| dated(year, month, day, today)).collect()
}

fn of_year(year: u32, month: u32, day: u32) -> Vec<Day> {
    i32::try_from(year).ok().and_then(|year| Day::of(year, month, day)).into_iter().collect()
}

/// Returns a day of a month, in `year` or else the next one from `today` on.
fn dated(year: Option<i32>, month: u32, day: u32, today: Day) -> Option<Day> {
    match year {
        Some(year) => Day::of(year, month, day),
        // The next 29 February may be eight years away.
        None => (0..=8)
            .filter_map(|more| Day::of(today.year() + more, month, day))
            .find(|day| *day >= today),
    }
}

/// Returns the next day of this weekday after `today`.
fn weekday(word: &str, today: Day) -> Option<Day> {
    let number = find_name(&WEEKDAYS, word.trim_end_matches('.'))?;
    (1..=7).map(|more| today.plus(more)).find(|day| day.weekday() == number)
}

/// Returns the number of a month from its name or a prefix of at least three letters.
fn month(word: &str) -> Option<u32> {
    let at = find_name(&MONTHS, word.trim_end_matches('.'))?;
    u32::try_from(at + 1).ok()
}

/// Parses the day of a month: `20`, `20th`, `20.`.
fn day_number(words: &[&str]) -> Option<u32> {
    let [word] = words else { return None };
    let word = word.trim_end_matches('.');
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
    digits.unwrap_or(word).parse().ok().filter(|day| (1..=31).contains(day))
}

/// Returns the days of a duration: `2 weeks`, `a week`. Number words are not parsed.
fn duration(words: &[&str]) -> Option<i64> {
    let [count, unit] = words else { return None };
    let count: i64 = if ["a", "an", "one"].contains(count) { 1 } else { count.parse().ok()? };
    let length = match unit.strip_suffix('s').unwrap_or(unit) {
        "day" => 1,
        "week" => 7,
        "month" => 30,
        _ => return None,
    };
    (1..=366).contains(&count).then_some(count * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Wednesday.
    fn today() -> Day {
        Day::of(2026, 11, 25).expect("a day")
    }

    fn read(line: &str) -> Result<String, PeriodError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Period { from, to } = parse_period(&words, today())?;
        Ok(from.map_or_else(|| to.to_string(), |from| format!("{from} {to}")))
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        for (line, days) in [
            ("2026-12-20", "2026-12-20"),
            ("until 20.12.2026", "2026-12-20"),
            ("20.12.", "2026-12-20"),
            ("20.12.26", "2026-12-20"),
            ("20/12/2026", "2026-12-20"),
            ("12/20/2026", "2026-12-20"),
            ("12/12", "2026-12-12"),
            ("until 20 Dec", "2026-12-20"),
            ("20th of December 2026", "2026-12-20"),
            ("December 20th, 2026", "2026-12-20"),
            ("Dec. 20", "2026-12-20"),
            ("3 Jan", "2027-01-03"),
            ("29 Feb", "2028-02-29"),
            ("today", "2026-11-25"),
            ("until tomorrow", "2026-11-26"),
            ("until Friday", "2026-11-27"),
            ("till wed", "2026-12-02"),
            ("until 2 Sept", "2027-09-02"),
            ("2 weeks", "2026-12-08"),
            ("for a week", "2026-12-01"),
            ("1 day", "2026-11-25"),
            ("2026-12-20 2026-12-27", "2026-12-20 2026-12-27"),
            ("from 20 Dec until 3 Jan", "2026-12-20 2027-01-03"),
            ("20-27 Dec", "2026-12-20 2026-12-27"),
            ("Dec 20-27", "2026-12-20 2026-12-27"),
            ("20.12. - 27.12.", "2026-12-20 2026-12-27"),
            ("20.12.-27.12.", "2026-12-20 2026-12-27"),
            ("20 Dec \u{2013} 27 Dec 2026", "2026-12-20 2026-12-27"),
            ("from Friday to Sunday", "2026-11-27 2026-11-29"),
            ("from tomorrow for 10 days", "2026-11-26 2026-12-05"),
        ] {
            assert_eq!(read(line).as_deref(), Ok(days), "{line}");
        }
    }

    #[test]
    fn unknown_and_ambiguous_dates_are_refused() {
        for line in [
            "",
            "secret",
            "soon",
            "20",
            "30.2.2026",
            "32 Dec",
            "13/13",
            "2026-13-01",
            "dec",
            "20 Dec 27 Dec 30 Dec",
            "0 weeks",
            "9999999999999 weeks",
            "weeks",
            "2 moons",
        ] {
            assert_eq!(read(line), Err(PeriodError::Unknown), "{line}");
        }
        assert!(matches!(read("12/10/2026"), Err(PeriodError::Ambiguous(..))));
        assert!(matches!(read("until 3/4"), Err(PeriodError::Ambiguous(..))));
        let long = "20 Dec ".repeat(40);
        assert_eq!(read(&long), Err(PeriodError::Unknown));
    }
}
