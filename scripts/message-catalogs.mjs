// What is wrong with the translations: keys that are missing or left over, placeholders that differ, texts that don't parse.
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Every text of a catalog by its dotted key. */
export function textsOf(catalog, prefix = '') {
  return Object.entries(catalog).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value]] : textsOf(value, `${prefix}${key}.`),
  );
}

function* placeholdersOf(elements) {
  for (const element of elements) {
    if (element.type !== TYPE.literal && element.type !== TYPE.pound)
      yield `${element.value}${element.type === TYPE.tag ? '>' : ''}`;
    if (element.type === TYPE.tag) yield* placeholdersOf(element.children);
    for (const option of Object.values(element.options ?? {})) yield* placeholdersOf(option.value);
  }
}

const placeholderList = (text) => [...new Set(placeholdersOf(parse(text)))].sort().join(' ');

/** A line for each key of which the translation is not one of the original. */
export function wrongTranslations(original, translation) {
  const translated = new Map(textsOf(translation));
  const complaints = [];
  for (const [key, text] of textsOf(original)) {
    const other = translated.get(key);
    translated.delete(key);
    if (other === undefined) complaints.push(`${key} is missing`);
    else if (other.trim() === '' && text.trim() !== '') complaints.push(`${key} is empty`);
    else complaints.push(...differenceOf(key, text, other));
  }
  return [...complaints, ...[...translated.keys()].map((key) => `${key} is in no original`)];
}

function differenceOf(key, text, other) {
  try {
    const [wanted, found] = [placeholderList(text), placeholderList(other)];
    return wanted === found ? [] : [`${key} has {${found}} for {${wanted}}`];
  } catch (error) {
    return [`${key} does not parse: ${error.message}`];
  }
}
