import 'server-only';
import Database from 'better-sqlite3';
import { plainPackageName } from '@/lib/vocabulary/package-names';
import type { ListedPackage } from './list-writer';
import { rankAll } from './rank';
import { latestOf, newestFirst } from './version-order';

type Found = ListedPackage & { key: string };

const COLUMNS = 'p.key, p.name, p.description, p.latest AS latestVersion';
/** A part of a name is looked for from three letters on: that is what its index is made of. */
const PART_MIN = 3;

/** A finished list on disk. Every question is answered by an index, in less than a millisecond or two. */
export class ListFile {
  private readonly db: Database.Database;
  private readonly exact;
  private readonly words;
  private readonly parts;
  private readonly versions;

  /** Throws where the file is none. */
  constructor(file: string) {
    this.db = new Database(file, { readonly: true, fileMustExist: true });
    this.db.pragma('cache_size = -16000');
    this.exact = this.db.prepare<[string], Found>(`SELECT ${COLUMNS} FROM packages p WHERE p.key = ?`);
    const joined = (index: string, where: string) =>
      `SELECT ${COLUMNS} FROM ${index} JOIN packages p ON p.id = ${index}.rowid WHERE ${where} ORDER BY ${index}.rowid LIMIT ?`;
    this.words = this.db.prepare<[string, number], Found>(joined('words', 'words MATCH ?'));
    this.parts = this.db.prepare<[string, number], Found>(joined('parts', 'parts.key LIKE ?'));
    this.versions = this.db.prepare<[string], { name: string; version: string }>(
      'SELECT name, version FROM versions WHERE key = ?',
    );
  }

  get etag(): string {
    return this.db.prepare("SELECT value FROM meta WHERE name = 'etag'").pluck().get() as string;
  }

  /** The packages that fit best. Nothing fits a text without a letter or digit. */
  search(text: string, limit: number): ListedPackage[] {
    const query = plainPackageName(text);
    const words = query.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    if (words.length === 0) return [];
    const match = `"${words.join(' ')}"*`;
    const found = [...this.exact.all(query), ...this.words.all(`^${match}`, limit)];
    if (found.length < limit) found.push(...this.words.all(match, limit));
    if (found.length < limit && query.length >= PART_MIN) {
      found.push(...this.parts.all(`%${query.replace(/[%_]/g, '')}%`, limit));
    }
    return rankAll(found, query)
      .slice(0, limit)
      .map(({ name, description, latestVersion }) => ({
        name,
        description,
        latestVersion: latestVersion || latestOf(this.listVersions(name)),
      }));
  }

  /** One package by its name, however it is spelled. */
  find(name: string): ListedPackage | undefined {
    const found = this.exact.all(plainPackageName(name));
    const row = found.find((each) => each.name === name) ?? found[0];
    return row && { name: row.name, description: row.description, latestVersion: row.latestVersion };
  }

  /** The newest first; none in a list of names alone. */
  listVersions(name: string): string[] {
    const rows = this.versions.all(plainPackageName(name));
    const own = rows.filter((row) => row.name === name);
    return newestFirst([...new Set((own.length > 0 ? own : rows).map(({ version }) => version))]);
  }

  close(): void {
    this.db.close();
  }
}
