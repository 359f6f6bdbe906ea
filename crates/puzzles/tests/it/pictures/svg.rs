//! Parses pictures: the elements of an SVG, and where they lie.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element with its content.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    /// All text inside the element.
    pub text: String,
    pub children: Vec<Element>,
}

/// A place in a picture.
pub type Spot = (f64, f64);

impl Element {
    /// Returns this element and all elements inside it.
    pub fn all(&self) -> Vec<&Self> {
        let mut found = vec![self];
        found.extend(self.children.iter().flat_map(Element::all));
        found
    }

    /// Returns the elements of a class.
    pub fn of_class(&self, class: &str) -> Vec<&Self> {
        let has = |element: &&Self| element.attribute("class").split(' ').any(|found| found == class);
        self.all().into_iter().filter(has).collect()
    }

    /// Returns the only element of a class, if any.
    pub fn one(&self, class: &str) -> Option<&Self> {
        let found = self.of_class(class);
        assert!(found.len() < 2, "{} elements of the class {class}", found.len());
        found.first().copied()
    }

    /// Returns the text elements.
    pub fn texts(&self) -> Vec<&Self> {
        self.all().into_iter().filter(|element| element.name == "text").collect()
    }

    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }

    pub fn number(&self, name: &str) -> f64 {
        self.attribute(name).parse().unwrap_or_else(|_| panic!("{name} of {self:?}"))
    }

    /// Returns the attributes `x` and `y`.
    pub fn spot(&self) -> Spot {
        (self.number("x"), self.number("y"))
    }

    /// Returns the commands of a path, each with its places.
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

    /// Returns the places of dots, which are drawn as lines of no length.
    pub fn dots(&self) -> Vec<Spot> {
        self.commands().into_iter().filter(|(letter, _)| *letter == 'M').map(|(_, spots)| spots[0]).collect()
    }
}

/// Returns the integer part of a number that is not negative.
pub fn whole(value: f64) -> usize {
    usize::try_from(value.floor() as i64).unwrap()
}

/// Parses pairs of numbers. Returns none if the text holds no pairs.
pub fn spots(text: &str) -> Vec<Spot> {
    let pairs = text.split(' ').filter_map(|pair| pair.split_once(','));
    pairs.map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).collect()
}

/// Parses the pictures of some markup. Each must be well-formed, have a title and a description, and contain nothing
/// that can interfere with another picture of the page.
pub fn pictures(markup: &str) -> Vec<Element> {
    let parts = markup.split("<svg").skip(1).map(|part| part.split_once("</svg>").expect("it ends").0);
    let pictures: Vec<_> = parts.map(|part| parse(&format!("<svg{part}</svg>"))).collect();
    for picture in &pictures {
        for part in ["title", "desc"] {
            let told: Vec<_> = picture.children.iter().filter(|child| child.name == part).collect();
            assert!(told.len() == 1 && !told[0].text.is_empty(), "{part}: {told:?}");
        }
        for element in picture.all() {
            for name in ["id", "href", "onload", "style"] {
                assert_eq!(element.attribute(name), "", "{element:?}");
            }
            assert!(!["script", "use", "defs", "marker"].contains(&element.name.as_str()), "{element:?}");
        }
    }
    pictures
}

/// Returns the only picture of some markup.
pub fn picture(markup: &str) -> Element {
    let mut pictures = pictures(markup);
    assert_eq!(pictures.len(), 1, "{markup}");
    pictures.remove(0)
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
