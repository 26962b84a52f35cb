import nextVitals from 'eslint-config-next/core-web-vitals';
import nextTypescript from 'eslint-config-next/typescript';
import importX from 'eslint-plugin-import-x';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';

const LOOSE = ['./lib/*.ts'];

/** Areas of the interface: they meet in `app` only. */
const FEATURES = ['account', 'audit', 'hosts', 'images', 'reference', 'settings', 'workspaces'];

/** Which way imports point: each folder and the folders of ours that it may import from. */
const mayImport = {
  './lib/protocol': [],
  './lib/domain': ['./lib/protocol', ...LOOSE],
  './db': ['./lib/domain', ...LOOSE],
  './lib/policies': ['./lib/domain', ...LOOSE],
  './lib/records': ['./db', './lib/policies', './lib/domain', './lib/files', ...LOOSE],
  './lib/collections': ['./lib/records', './lib/policies', './lib/domain', './db/schema', './lib/files', ...LOOSE],
  './lib/realtime': ['./lib/records', './lib/policies', './lib/domain', './lib/collections', ...LOOSE],
  './lib/auth': ['./db', './lib/collections', './lib/records', './lib/policies', './lib/domain', ...LOOSE],
  './lib/files': ['./lib/domain', ...LOOSE],
  './lib/remote': ['./lib/domain', ...LOOSE],
  './lib/stores': ['./db', './lib/domain', './lib/protocol', './lib/records', ...LOOSE],
  './lib/hosts': [
    './lib/collections',
    './lib/domain',
    './lib/policies',
    './lib/protocol',
    './lib/stores',
    './lib/records',
    ...LOOSE,
  ],
  './lib/backups': [
    './db',
    './lib/auth',
    './lib/domain',
    './lib/hosts',
    './lib/realtime',
    './lib/records',
    './lib/stores',
    ...LOOSE,
  ],
  './lib/http': ['./lib/auth', './lib/domain', ...LOOSE],
  './components/ui': [],
  './components/data': ['./components/ui', './lib/domain', ...LOOSE],
  './components/records': ['./components/ui', './components/data', './lib/domain', ...LOOSE],
  './components/shell': ['./components/ui', './components/data', './components/records', './lib/domain', ...LOOSE],
  ...Object.fromEntries(
    FEATURES.map((feature) => [
      `./components/${feature}`,
      ['./components/ui', './components/data', './components/records', './lib/domain', ...LOOSE],
    ]),
  ),
  './agent': ['./lib/protocol'],
};

const SERVER_FILES = ['./lib/env.ts', './lib/log.ts', './lib/secrets.ts', './lib/passwords.ts', './lib/singleton.ts'];

const OURS = ['./app', './components', './lib', './db', './agent', './bench', './scripts'];

const zones = Object.entries(mayImport).map(([target, allowed]) => ({
  target,
  from: OURS,
  except: [target, ...allowed].map((folder) => folder),
}));

const config = [
  { ignores: ['.next/**', 'dist/**', 'node_modules/**', 'drizzle/**', 'data/**', 'next-env.d.ts', '.cache/**'] },
  ...nextVitals,
  ...nextTypescript,
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver({ project: './tsconfig.json' })] },
    rules: {
      'import-x/no-cycle': ['error', { maxDepth: 6, ignoreExternal: true }],
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
      // TanStack Table and Virtual can't be memoized by the React Compiler, which this project does not use.
      'react-hooks/incompatible-library': 'off',
    },
  },
  ...walls(zones),
];

export default config;

/** `no-restricted-paths` wants exceptions relative to `from`, so each wall is spelled as the folders that are forbidden. */
function walls(list) {
  return [
    {
      files: ['lib/**/*.ts', 'db/**/*.ts', 'agent/**/*.ts', 'components/**/*.ts', 'components/**/*.tsx'],
      ignores: ['**/*.test.ts', '**/*.test.tsx'],
      rules: { 'import-x/no-restricted-paths': ['error', { zones: list.flatMap(forbiddenFolders) }] },
    },
  ];
}

function forbiddenFolders({ target, except }) {
  const folders = [
    './app',
    './agent',
    './bench',
    './db',
    './components/ui',
    './components/data',
    './components/records',
    './components/shell',
    ...FEATURES.map((feature) => `./components/${feature}`),
    './lib/protocol',
    './lib/domain',
    './lib/policies',
    './lib/records',
    './lib/collections',
    './lib/realtime',
    './lib/auth',
    './lib/files',
    './lib/remote',
    './lib/stores',
    './lib/hosts',
    './lib/http',
    './lib/commands',
    './lib/api',
    './lib/backups',
  ];
  return (
    folders
      .filter((folder) => !except.includes(folder) && !target.startsWith(folder))
      .map((from) => ({ target, from, except: from === './db' && except.includes('./db/schema') ? ['./schema'] : [] }))
      // What reads the environment or secrets is the server's; primitives know nothing of ours at all.
      .concat(
        target.startsWith('./components')
          ? { target, from: target === './components/ui' ? './lib' : SERVER_FILES }
          : [],
      )
  );
}
