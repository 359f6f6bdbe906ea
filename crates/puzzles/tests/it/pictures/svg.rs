//! Pictures read back: the elements of an SVG, and where they lie.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element with what is in it.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// All text in it.
    pub text: String,
    pub children: Vec<Element>,
}

/// A place in a picture.
pub type Spot = (f64, f64);

impl Element {
    /// All elements in it, itself first.
    pub fn all(&self) -> Vec<&Self> {
        let mut found = vec![self];
        found.extend(self.children.iter().flat_map(Element::all));
        found
    }

    /// Those that have a class.
    pub fn of_class(&self, class: &str) -> Vec<&Self> {
        let has = |element: &&Self| element.attribute("class").split(' ').any(|found| found == class);
        self.all().into_iter().filter(has).collect()
    }

    /// The only one that has a class, if one has.
    pub fn one(&self, class: &str) -> Option<&Self> {
        let found = self.of_class(class);
        assert!(found.len() < 2, "{} elements of the class {class}", found.len());
        found.first().copied()
    }

    /// Its text elements.
    pub fn texts(&self) -> Vec<&Self> {
        self.all().into_iter().filter(|element| element.name == "text").collect()
    }

    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    pub fn number(&self, name: &str) -> f64 {
        self.attribute(name).parse().unwrap_or_else(|_| panic!("{name} of {self:?}"))
    }

    /// Where it says that it is, by `x` and `y`.
    pub fn spot(&self) -> Spot {
        (self.number("x"), self.number("y"))
    }

    /// The commands of a path, each with its places.
    pub fn commands(&self) -> Vec<(char, Vec<Spot>)> {
        let mut commands = Vec::new();
        for part in self.attribute("d").split_inclusive(char::is_alphabetic) {
            let letter = part.chars().next_back().unwrap();
            let places = part.trim_end_matches(char::is_alphabetic);
            if let Some((_, before)) = commands.last_mut() {
                *before = spots(places);
            }
            if letter.is_alphabetic() {
                commands.push((letter, Vec::new()));
            }
        }
        commands
    }

    /// The places of dots: a path of lines of no length.
    pub fn dots(&self) -> Vec<Spot> {
        self.commands().into_iter().filter(|(letter, _)| *letter == 'M').map(|(_, spots)| spots[0]).collect()
    }
}

/// The whole part of a number that is not negative.
pub fn whole(value: f64) -> usize {
    usize::try_from(value.floor() as i64).unwrap()
}

/// Pairs of numbers; none where there are no pairs.
pub fn spots(text: &str) -> Vec<Spot> {
    let pairs = text.split(' ').filter_map(|pair| pair.split_once(','));
    pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
}

/// The pictures of some markup. Each is well-formed, has a title and a description, and nothing that another one on its page
/// could get into the way of.
pub fn pictures(markup: &str) -> Vec<Element> {
    let parts = markup.split("<svg").skip(1).map(|part| part.split_once("</svg>").expect("it ends").0);
    let pictures: Vec<_> = parts.map(|part| parse(&format!("<svg{part}</svg>"))).collect();
    for picture in &pictures {
        for part in ["title", "desc"] {
            let told: Vec<_> = picture.children.iter().filter(|child| child.name == part).collect();
            assert!(told.len() == 1 && !told[0].text.is_empty(), "{part}: {told:?}");
        }
        for element in picture.all() {
            for name in ["id", "href", "onload"] {
                assert_eq!(element.attribute(name), "", "{element:?}");
            }
            // The least width of a picture, and nothing else.
            let style = element.attribute("style");
            assert!(
                style.is_empty() || element.name == "svg" && style.starts_with("min-width:"),
                "{element:?}"
            );
            assert!(!["script", "use", "defs", "marker"].contains(&element.name.as_str()), "{element:?}");
        }
    }
    pictures
}

/// The picture of markup that has one.
pub fn picture(markup: &str) -> Element {
    let mut pictures = pictures(markup);
    assert_eq!(pictures.len(), 1, "{markup}");
    pictures.remove(0)
}

/// The cells of the table of some markup, row by row, without its head; none where it has none.
pub fn table(markup: &str) -> Vec<Vec<String>> {
    let Some((_, rest)) = markup.split_once("<tbody>") else { return Vec::new() };
    let body = parse(&format!("<tbody>{}</tbody>", rest.split_once("</tbody>").expect("it ends").0));
    let cells = |row: &Element| row.children.iter().map(|cell| cell.text.clone()).collect();
    body.children.iter().map(cells).collect()
}

fn parse(text: &str) -> Element {
    let mut reader = Reader::from_str(text);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error}: {text}")) {
            Event::Start(tag) => open.push(element(&tag)),
            Event::Empty(tag) => open.last_mut().unwrap().children.push(element(&tag)),
            Event::End(_) => {
                let closed = open.pop().unwrap();
                open.last_mut().unwrap().children.push(closed);
            }
            Event::Text(found) => open.last_mut().unwrap().text += &found,
            Event::GeneralRef(name) => open.last_mut().unwrap().text += &format!("&{};", &*name),
            Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(open.len(), 1, "{text}");
    open[0].children.remove(0)
}

fn element(tag: &BytesStart<'_>) -> Element {
    let attributes = tag.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        (attribute.key.as_ref().to_owned(), attribute.value.to_string())
    });
    let name = tag.name().as_ref().to_owned();
    Element { name, attributes: attributes.collect(), ..Element::default() }
}
