// Every message is used, and every translation is whole. (That every used key exists is checked by the compiler: keys are typed.)
import fs from 'node:fs';
import path from 'node:path';
import { wrongTranslations } from './message-catalogs.mjs';
import { serverSentences } from './server-sentences.mjs';
import { root } from './toolchain.mjs';

const messages = path.join(root, 'messages');
const folder = path.join(messages, 'en');

function* leaves(value, prefix) {
  if (typeof value === 'string') return void (yield prefix);
  for (const [key, inner] of Object.entries(value)) yield* leaves(inner, [...prefix, key]);
}

function* sources(directory) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) yield* sources(full);
    else if (/\.tsx?$/.test(entry.name)) yield fs.readFileSync(full, 'utf8');
  }
}

const text = ['app', 'components', 'lib', 'i18n']
  .flatMap((name) => {
    const full = path.join(root, name);
    return fs.existsSync(full) ? [...sources(full)] : [];
  })
  .join('\n');

const literals = new Set([...text.matchAll(/['"`]([\w.-]+)['"`]/g)].map((match) => match[1]));
// A template such as t(`status.${status}`) may reach every key below its fixed beginning.
const openEnds = [...text.matchAll(/`([\w.-]*)\.?\$\{/g)]
  .map((match) => match[1].replace(/\.$/, '').split('.'))
  .filter((parts) => parts[0] !== '');

function isUsed(parts) {
  for (let from = 0; from < parts.length; from += 1) {
    if (literals.has(parts.slice(from).join('.'))) return true;
    if (
      openEnds.some(
        (open) => open.every((part, index) => parts[from + index] === part) && parts.length > from + open.length,
      )
    )
      return true;
  }
  return false;
}

const unused = fs
  .readdirSync(folder)
  .flatMap((file) =>
    [...leaves(JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')), [path.parse(file).name])].filter(
      (parts) => !isUsed(parts),
    ),
  );

if (unused.length > 0) {
  console.error(`Messages that nothing uses:\n${unused.map((parts) => `  ${parts.join('.')}`).join('\n')}`);
  process.exit(1);
}

const read = (language, file) => JSON.parse(fs.readFileSync(path.join(messages, language, file), 'utf8'));
const wrong = fs
  .readdirSync(messages)
  .filter((language) => !['en', 'server'].includes(language))
  .flatMap((language) =>
    fs
      .readdirSync(folder)
      .flatMap((file) =>
        wrongTranslations(read('en', file), read(language, file)).map(
          (line) => `${language}/${path.parse(file).name}.${line}`,
        ),
      ),
  );

if (wrong.length > 0) {
  console.error(`Translations that are not whole:\n${wrong.map((line) => `  ${line}`).join('\n')}`);
  process.exit(1);
}

// What the server says, by its English sentence; a translation that is empty says that the sentence is for no reader of pages.
const said = serverSentences(root);
const wrongSentences = fs.readdirSync(path.join(messages, 'server')).flatMap((file) => {
  const catalog = read('server', file);
  const spoken = Object.fromEntries(said.map((sentence) => [sentence, catalog[sentence] === '' ? '' : sentence]));
  return wrongSentencesOf(spoken, catalog).map((line) => `server/${file}: ${line}`);
});

function wrongSentencesOf(spoken, catalog) {
  const holes = (text) => (text.match(/\{\d+\}/g) ?? []).sort().join(' ');
  return [
    ...Object.keys(spoken).filter((sentence) => !(sentence in catalog)),
    ...Object.keys(catalog).filter((sentence) => !(sentence in spoken)),
    ...Object.entries(spoken).flatMap(([sentence, text]) =>
      sentence in catalog && holes(text) !== holes(catalog[sentence]) ? [`${sentence} has other holes`] : [],
    ),
  ];
}

if (wrongSentences.length > 0) {
  console.error(
    `Sentences of the server that are not translated, or said no longer:\n${wrongSentences.map((line) => `  ${line}`).join('\n')}`,
  );
  process.exit(1);
}
