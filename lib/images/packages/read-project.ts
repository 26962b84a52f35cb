import 'server-only';
import { askIndex, type IndexAnswer, toIndexError } from '@/lib/remote/index-answer';
import { readMembers, parse, type JsonMember } from './json-members';
import { SIMPLE_TYPES } from './list-sources';
import { fieldsOf, isJson, readLinks, toLine, toNoIndex, toVersion } from './read-lists';
import { projectAddress, type PackageSource } from './sources';
import { latestOf, newestFirst } from './version-order';

const MAX_BYTES = 64_000_000;
const ENTRY_BYTES_MAX = 1_000_000;
const VERSIONS_MAX = 3000;

/** What an index says of one package. */
export interface Project {
  description: string;
  latestVersion: string;
  /** The newest first. */
  versions: string[];
}

/** One project of a pypi index; undefined where it has none of that name. Throws IndexError. */
export async function readProject(
  source: PackageSource,
  key: string,
  signal: AbortSignal,
): Promise<Project | undefined> {
  const address = projectAddress(source, key);
  const told = address && (await read(source, { url: address, accept: 'application/json', signal }, readJson));
  return told || read(source, { url: `${source.url}/${key}/`, accept: SIMPLE_TYPES, signal }, readPage(key));
}

type Question = Pick<Parameters<typeof askIndex>[0], 'url' | 'accept' | 'signal'>;

async function read(
  source: PackageSource,
  question: Question,
  reader: (answer: IndexAnswer) => Promise<Project>,
): Promise<Project | undefined> {
  const answer = await askIndex({ ...source, ...question, maxBytes: MAX_BYTES });
  if (answer.status !== 200) return undefined;
  try {
    return await reader(answer);
  } catch (error) {
    throw toIndexError(toNoIndex(error, question.url), question.url);
  } finally {
    answer.body.destroy();
  }
}

function toProject(versions: Iterable<string>, { description = '', latest = '' } = {}): Project {
  const ordered = newestFirst([...new Set(versions)]).slice(0, VERSIONS_MAX);
  return { description, latestVersion: latest || latestOf(ordered), versions: ordered };
}

/** PyPI's own JSON: what it says, and the versions of which a file may still be taken. */
async function readJson({ body }: IndexAnswer): Promise<Project> {
  const versions: string[] = [];
  const told = { description: '', latest: '' };
  for await (const members of readMembers(body, { lists: ['info', 'releases'], maxBytes: ENTRY_BYTES_MAX })) {
    for (const member of members) {
      if (member.list === 'releases') versions.push(...toRelease(member));
      else if (member.key === 'summary') told.description = toLine(valueOf(member));
      else if (member.key === 'version') told.latest = toVersion(valueOf(member));
    }
  }
  return toProject(versions, told);
}

const valueOf = ({ json }: JsonMember): unknown => (json === undefined ? undefined : parse(json));
const isTaken = (file: unknown): boolean =>
  typeof file === 'object' && file !== null && !('yanked' in file && file.yanked);

function toRelease(member: JsonMember): string[] {
  const version = toVersion(member.key);
  // A release of very many files is one all the same.
  const files = member.json === undefined ? [{}] : valueOf(member);
  return version !== '' && Array.isArray(files) && files.some(isTaken) ? [version] : [];
}

/** The page of a simple index: its versions, or what the names of its files say of them. */
function readPage(key: string): (answer: IndexAnswer) => Promise<Project> {
  return async ({ body, contentType }) => {
    const [named, told]: [string[], string[]] = [[], []];
    const take = (file: unknown) => {
      const version = versionOfFile(file, key);
      if (version !== '') named.push(version);
    };
    if (!isJson(contentType)) for await (const names of readLinks(body)) names.forEach(take);
    else {
      for await (const members of readMembers(body, { lists: ['versions', 'files'], maxBytes: ENTRY_BYTES_MAX })) {
        for (const member of members) {
          if (member.list === 'versions') told.push(toVersion(valueOf(member)));
          else if (isTaken(fieldsOf(member))) take(fieldsOf(member)?.filename);
        }
      }
    }
    const versions = told.filter(Boolean);
    return toProject(versions.length > 0 ? versions : named);
  };
}

/** `numpy-2.1.0-cp312-….whl`, `numpy-2.1.0.tar.gz`: the version, where the file is one of the project. */
function versionOfFile(file: unknown, key: string): string {
  if (typeof file !== 'string' || file.length > 400) return '';
  const start = new RegExp(`^${key.split('-').join('[-_.]+')}-`, 'i').exec(file);
  if (!start) return '';
  const rest = file.slice(start[0].length);
  const [wheel] = rest.split('-');
  if (/\.whl$/i.test(rest)) return toVersion(wheel);
  return toVersion(rest.replace(/\.(tar\.(gz|bz2|xz)|zip|tgz|egg)$/i, '').replace(/-py\d.*$/, ''));
}
