import fs from 'node:fs';
import nextVitals from 'eslint-config-next/core-web-vitals';
import nextTypescript from 'eslint-config-next/typescript';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

/** The rooms of `lib`, from the assembly down to the ground: a room may import the rooms after it, never one before. */
const ORDER = [
  'api',
  'health',
  'metrics',
  'carry',
  'backups',
  'recommendations',
  'apps',
  'forward-auth',
  'workspaces',
  'images',
  'domains',
  'networks',
  'volumes',
  'files',
  'hosts',
  'notices',
  'quotas',
  'accounts',
  'groups',
  'settings',
  'audit',
  'realtime',
  'auth',
  'http',
  'stores',
  'remote',
  'records',
  'policies',
  'vocabulary',
  'protocol',
];

const filesIn = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => `./${folder}/${name}`);
const foldersIn = (folder) =>
  fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `./${folder}/${name}`);

const rooms = (...names) => names.map((name) => `./lib/${name}`);
const below = (room) => rooms(...ORDER.slice(ORDER.indexOf(room) + 1));

/** What stands beside the rooms is the console's; the browser gets those that open nothing. */
const LOOSE = filesIn('lib');
const SERVER_ONLY = ['env', 'log', 'secrets', 'passwords', 'singleton', 'outlet'].map((name) => `./lib/${name}.ts`);
const BROWSER = [...rooms('vocabulary'), ...LOOSE.filter((file) => !SERVER_ONLY.includes(file))];

const SHARED_PARTS = ['./components/ui', './components/data', './components/records'];

/**
 * Which way imports point: each folder and what of ours it may import. Folders come from disk, and one that no line
 * below names may import nothing and be imported by nobody.
 */
const mayImport = {
  ...Object.fromEntries([...foldersIn('lib'), ...foldersIn('components')].map((folder) => [folder, []])),
  ...Object.fromEntries(ORDER.map((room) => [`./lib/${room}`, ['./db', ...below(room), ...LOOSE]])),
  // What is a public address has to be known on hosts too.
  './lib/remote': [...rooms('vocabulary', 'protocol'), ...LOOSE, './messages'],
  './lib/policies': [...rooms('vocabulary'), ...LOOSE],
  './lib/vocabulary': LOOSE,
  './lib/protocol': [],
  ...Object.fromEntries(LOOSE.map((file) => [file, [...LOOSE, './messages', './package.json']])),
  './lib/i18n-request.ts': [...rooms('auth', 'vocabulary'), ...LOOSE, './messages'],
  // The embedded agent's settings are checked as any agent's are.
  './lib/env.ts': [...rooms('protocol'), ...LOOSE],
  './db': [...rooms('vocabulary'), ...LOOSE],
  // Areas of the interface meet in `app` only.
  ...Object.fromEntries(foldersIn('components').map((area) => [area, [...SHARED_PARTS, ...BROWSER]])),
  './components/ui': [],
  // The wire types are declared with the collections: these two files are types alone.
  './components/data': [
    './components/ui',
    './lib/api/wire-records.ts',
    './lib/records/wire.ts',
    './messages/server',
    ...BROWSER,
  ],
  './components/records': ['./components/ui', './components/data', ...BROWSER],
  './app': [
    './components',
    ...LOOSE,
    ...rooms(...ORDER.slice(0, ORDER.indexOf('audit'))),
    ...rooms('auth', 'http', 'vocabulary'),
  ],
  './server': ['./lib', './db', './agent'],
  './server.ts': ['./lib', './db', './server'],
  './middleware.ts': BROWSER,
  './agent': ['./lib/protocol'],
  './bench': ['./lib', './db', './agent', './tests'],
  './scripts': [],
};

const config = [
  { ignores: ['.next/**', 'dist/**', 'node_modules/**', 'drizzle/**', 'data/**', 'next-env.d.ts', '.cache/**'] },
  ...nextVitals,
  ...nextTypescript,
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })],
      // Without these no file of ours is parsed, and a circle is never seen.
      'import-x/extensions': ['.ts', '.tsx'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts', '.tsx'] },
    },
    rules: {
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { prefer: 'type-imports', fixStyle: 'inline-type-imports' },
      ],
      'max-lines-per-function': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
      // Pictures are users' own uploads, sized by the file API: there is nothing for Next's image server to do.
      '@next/next/no-img-element': 'off',
      // TanStack Virtual can't be memoized by the React Compiler, which this project does not use.
      'react-hooks/incompatible-library': 'off',
    },
  },
  {
    files: ['components/**/*.ts', 'components/**/*.tsx', 'app/**/*.ts', 'app/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='filter'][arguments.0.type=/^(Literal|TemplateLiteral)$/]",
          message: 'The client puts texts in place wrongly: say it with components/records/search/filter-text.',
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['**/*.test.ts', '**/*.test.tsx', 'tests/**'],
    rules: { 'import-x/no-restricted-paths': ['error', { zones: Object.entries(mayImport).map(wall) }] },
  },
];

export default config;

/** Everything is closed to a folder but itself, what it may import, and packages. */
function wall([target, allowed]) {
  return {
    target,
    from: '.',
    except: [...new Set(['./node_modules', target, ...allowed])],
    message: `${target.slice(2)} may not import it: see the order in eslint.config.mjs.`,
  };
}
