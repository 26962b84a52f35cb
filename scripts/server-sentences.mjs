// The sentences that console and agent may say, read off their source: what differs in them is `{0}`, `{1}` …
import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** Words for whoever runs the console, and of the API's description. */
const FOR_LOGS = /^log\b|\.(?:info|warn|error|debug|fatal|describe)$/;
const OF_THE_DESCRIPTION = new Set(['summary', 'description', 'filter', 'answer']);
const IS_SENTENCE = /^(?![A-Z]+ )[A-Z{"“].* .*[.!?]$/s;

function* sources(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(full);
    else if (/(?<!\.test)\.ts$/.test(entry.name)) yield full;
  }
}

function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }, index) => `{${index}}${literal.text}`).join('');
}

function* sentencesIn(node) {
  if (ts.isCallExpression(node) && FOR_LOGS.test(node.expression.getText())) return;
  if (ts.isPropertyAssignment(node) && OF_THE_DESCRIPTION.has(node.name.getText())) return;
  const text = textOf(node);
  if (text !== undefined && IS_SENTENCE.test(text)) yield text;
  const children = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* sentencesIn(child);
}

/** Every sentence once, in order of the alphabet. */
export function serverSentences(root) {
  const files = ['lib', 'agent', 'server'].flatMap((folder) => [...sources(path.join(root, folder))]);
  const found = files.flatMap((file) => [
    ...sentencesIn(ts.createSourceFile(file, fs.readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)),
  ]);
  return [...new Set(found)].sort();
}
