import type { StartupCommand, UserConfiguration } from '@/lib/vocabulary/image';
import { CONTEXT, type ContextText, listTexts } from './recipe-texts';
import { isConda, type RecipeEnvironment, toRequirements } from './requirements';

/** What a Dockerfile is generated from. Every field has passed its schema. */
export interface ImageRecipe {
  baseImage: string;
  /** Of the image, asked after those of an environment. */
  channels: readonly string[];
  environments: readonly RecipeEnvironment[];
  startupCommands: readonly StartupCommand[];
  userConfiguration: UserConfiguration | null;
  /** Where the image's own files lie in it. */
  filePaths: readonly string[];
}

/** Where packages come from, as the site has set it; empty for the usual places. */
export interface PackageSources {
  pypiIndexUrl: string;
  condaUrl: string;
  /** The image that micromamba is taken out of. */
  micromambaImage: string;
}

export interface GeneratedImage {
  dockerfile: string;
  files: ContextText[];
}

/** Where a generated Dockerfile looks for what it reads: in the build context, or in a stage of its own. */
export interface RecipeSource {
  /** Before the path of a mount. */
  mount(path: string): string;
  /** Before the path of a COPY. */
  copy(path: string): string;
  /** Mounts what holds the image's own files at their paths. */
  files: string;
  lines: readonly string[];
}

/** The folder of the build context that the image's files lie in, each at its path. */
export const FILES_FOLDER = `${CONTEXT}/files`;
const ENVIRONMENTS = '/opt/berth/environments';
const CHECKED = '/opt/berth/checked';
const STARTUP = '/opt/berth/startup';
const AT_WORK = '/run/berth';
const MICROMAMBA = '/opt/berth/bin/micromamba';

const fromContext: RecipeSource = {
  mount: (path) => `source=${path}`,
  copy: (path) => path,
  files: `source=${FILES_FOLDER}`,
  lines: [],
};

/**
 * The Dockerfile and the build context of an image that is made from lists. The same recipe gives the same bytes. No text that
 * a person typed is on a line of the Dockerfile, but names whose grammar holds nothing that a shell or a builder reads.
 */
export function generateImage(recipe: ImageRecipe, sources: PackageSources): GeneratedImage {
  const files = listTexts(recipe);
  return { dockerfile: writeDockerfile(recipe, sources, fromContext), files };
}

/** The Dockerfile's text, with what it reads where the source says. */
export function writeDockerfile(recipe: ImageRecipe, sources: PackageSources, source: RecipeSource): string {
  return `${new Writer(recipe, sources, source).write().join('\n')}\n`;
}

/** The Dockerfile that resolves the environments of a recipe, and keeps none. */
export function writeCheck(recipe: ImageRecipe, sources: PackageSources): string {
  return `${new Writer(recipe, sources, fromContext).writeCheck().join('\n')}\n`;
}

/** Who the image runs as; undefined for whom its base runs as. */
function ownerOf({ userConfiguration }: ImageRecipe): { uid: number; gid: number } | undefined {
  if (!userConfiguration?.isAdded) return undefined;
  const uid = userConfiguration.uid ?? 1000;
  return { uid, gid: userConfiguration.gid ?? uid };
}

/** Where an environment of a generated image says what it has. */
export function lockPathOf(environment: string): string {
  return `${ENVIRONMENTS}/${environment}/berth-lock`;
}

function checkedPathOf(environment: string): string {
  return `${CHECKED}/${environment}`;
}

/** Of each process of a check: 8 GiB of addresses, and a quarter of an hour of a processor. */
const CHECK_LIMITS = 'ulimit -v 8388608 && ulimit -t 900';

class Writer {
  private readonly owner: ReturnType<typeof ownerOf>;
  /** Each environment is built for itself, so that a change of one leaves the others as they are. */
  private readonly hasStages: boolean;

  constructor(
    private readonly recipe: ImageRecipe,
    private readonly sources: PackageSources,
    private readonly source: RecipeSource,
  ) {
    this.owner = ownerOf(recipe);
    this.hasStages = recipe.environments.length > 1;
  }

  write(): string[] {
    const { recipe, source, hasStages } = this;
    const { environments } = recipe;
    const stages = hasStages
      ? environments.flatMap((each, index) => ['', `FROM base AS environment-${index + 1}`, ...this.make(each)])
      : environments.flatMap((each) => ['', ...this.make(each)]);
    const taken = hasStages ? ['', 'FROM base', ...environments.map((each, index) => this.take(each, index))] : [];
    const from = `FROM ${recipe.baseImage}${hasStages ? ' AS base' : ''}`;
    return [...source.lines, from, ...this.prepare(), ...stages, ...taken, ...this.finish()];
  }

  writeCheck(): string[] {
    const { environments, baseImage } = this.recipe;
    const stages = environments.flatMap((each, index) => [
      '',
      `FROM base AS environment-${index + 1}`,
      this.check(each),
    ]);
    const results = environments.map(({ name }, index) => {
      return `COPY --from=environment-${index + 1} ${checkedPathOf(name)} /${index + 1}`;
    });
    return [`FROM ${baseImage} AS base`, 'USER 0:0', ...this.prepare(), ...stages, '', 'FROM scratch', ...results];
  }

  /** Only what pip is to install into has to be made for it. */
  private check(environment: RecipeEnvironment): string {
    const prefix = `${ENVIRONMENTS}/${environment.name}`;
    const at = `${CONTEXT}/environments/${environment.name}`;
    const hasList = toRequirements(environment) !== '';
    const dry = ' --dry-run';
    const made = isConda(environment)
      ? this.makeByConda(prefix, at, environment, hasList ? '' : dry)
      : makeVirtual(prefix);
    const steps = hasList ? [made, this.install(prefix, at, environment, dry)] : [made];
    const acts = [CHECK_LIMITS, ...steps.map(({ act }) => act), `rm -rf ${prefix}`, `mkdir -p ${CHECKED}`];
    const all = [...acts, `echo fine >${checkedPathOf(environment.name)}`].join(' \\\n    && ');
    return step([...new Set(steps.flatMap(({ mounts }) => mounts))], all);
  }

  /** What all environments stand on. */
  private prepare(): string[] {
    const { owner, recipe, sources } = this;
    const { environments } = recipe;
    const lines = owner ? ['USER 0:0'] : [];
    lines.push(...this.settings());
    const condas = environments.filter(isConda).length;
    const parts = [condas < environments.length && 'python', condas > 0 && 'certificates'].filter(Boolean);
    if (parts.length > 0) lines.push(this.runScript('system.sh', parts.join(' ')));
    if (condas > 0) lines.push(`COPY --from=${sources.micromambaImage} /bin/micromamba ${MICROMAMBA}`);
    if (owner) lines.push(...this.addUser(owner));
    return lines;
  }

  private addUser({ uid, gid }: { uid: number; gid: number }): string[] {
    const { name = '', group = '' } = this.recipe.userConfiguration ?? {};
    return [this.runScript('user.sh', `${uid} '${name}' ${gid} '${group}'`), `USER ${uid}:${gid}`];
  }

  private settings(): string[] {
    const { pypiIndexUrl, condaUrl } = this.sources;
    const { environments } = this.recipe;
    const lines: string[] = [];
    if (pypiIndexUrl !== '' && environments.length > 0) {
      const { protocol, host } = new URL(pypiIndexUrl);
      lines.push(`ENV PIP_INDEX_URL=${pypiIndexUrl} UV_DEFAULT_INDEX=${pypiIndexUrl}`);
      if (protocol === 'http:') lines.push(`ENV PIP_TRUSTED_HOST=${host} UV_INSECURE_HOST=${host}`);
    }
    if (condaUrl !== '' && environments.some(isConda)) lines.push(`ENV MAMBA_CHANNEL_ALIAS=${condaUrl}`);
    return lines;
  }

  /** The layers of one environment: what conda has to do, then what pip has. The last one says what it came to. */
  private make(environment: RecipeEnvironment): string[] {
    const prefix = `${ENVIRONMENTS}/${environment.name}`;
    const at = `${CONTEXT}/environments/${environment.name}`;
    const first = isConda(environment) ? this.makeByConda(prefix, at, environment) : makeVirtual(prefix);
    const steps = toRequirements(environment) === '' ? [first] : [first, this.install(prefix, at, environment)];
    const wanted = `${AT_WORK}/lock`;
    const lock = [
      this.bind(`${CONTEXT}/lock.sh`, `${AT_WORK}/lock.sh`),
      ...(environment.exact ? [this.bind(`${at}.lock`, wanted)] : []),
    ];
    const tell = `sh ${AT_WORK}/lock.sh ${prefix}${environment.exact ? ` ${wanted}` : ''}`;
    const last = steps.pop() ?? first;
    steps.push({ mounts: [...lock, ...last.mounts], act: `${last.act} \\\n    && ${tell}` });
    return steps.map(({ mounts, act }) => step(mounts, act));
  }

  private makeByConda(prefix: string, at: string, { exact }: RecipeEnvironment, more = ''): Step {
    const [list, target] = exact
      ? [`${at}.conda`, `${AT_WORK}/explicit.txt`]
      : [`${at}.yml`, `${AT_WORK}/environment.yml`];
    const cache = this.cacheOf('conda');
    const folders = `CONDA_PKGS_DIRS=${cache.folder}/pkgs MAMBA_ROOT_PREFIX=${cache.folder}/root`;
    const act = `${folders} ${MICROMAMBA} create --yes${more} --prefix ${prefix} --file ${target}`;
    return { mounts: [cache.mount, this.bind(list, target)], act };
  }

  private install(prefix: string, at: string, { exact }: RecipeEnvironment, more = ''): Step {
    const target = `${AT_WORK}/requirements.txt`;
    const cache = this.cacheOf('pypi');
    const what = `${exact ? '--no-deps ' : ''}-r ${target}${more}`;
    const uv = `UV_LINK_MODE=copy uv pip install --python ${prefix} --cache-dir ${cache.folder}/uv`;
    const pip = `${prefix}/bin/python -m pip install --no-input --disable-pip-version-check --cache-dir ${cache.folder}/pip`;
    const act = withUv(`${uv} ${what}`, `${pip} ${what}`);
    return { mounts: [cache.mount, this.bind(`${at}.txt`, target)], act };
  }

  /** What was fetched once is kept beside the layers, for each user, as nobody else may write there. */
  private cacheOf(name: string): { folder: string; mount: string } {
    const { owner } = this;
    const folder = `/var/cache/berth/${name}${owner ? `-${owner.uid}-${owner.gid}` : ''}`;
    const rights = owner ? `,uid=${owner.uid},gid=${owner.gid}` : '';
    return { folder, mount: `--mount=type=cache,target=${folder}${rights}` };
  }

  private take({ name }: RecipeEnvironment, index: number): string {
    const { owner } = this;
    const prefix = `${ENVIRONMENTS}/${name}`;
    const owned = owner ? `--chown=${owner.uid}:${owner.gid} ` : '';
    return `COPY --from=environment-${index + 1} ${owned}${prefix} ${prefix}`;
  }

  /** What changes most, and costs least. */
  private finish(): string[] {
    const { owner, recipe, source } = this;
    const { environments, startupCommands, filePaths } = recipe;
    const [first] = environments;
    const added: string[] = [];
    if (filePaths.length > 0) added.push(this.placeFiles());
    if (startupCommands.length > 0) added.push(`COPY ${source.copy(`${CONTEXT}/startup/`)} ${STARTUP}/`);
    const lines = first ? [`ENV PATH=${ENVIRONMENTS}/${first.name}/bin:$PATH`] : [];
    if (owner && added.length > 0) lines.push('USER 0:0', ...added, `USER ${owner.uid}:${owner.gid}`);
    else lines.push(...added);
    if (startupCommands.length > 0) lines.push(`ENTRYPOINT ["${STARTUP}/start"]`);
    return lines.length > 0 ? ['', ...lines] : [];
  }

  private placeFiles(): string {
    const { owner, source } = this;
    const mounts = [
      this.bind(`${CONTEXT}/place.sh`, `${AT_WORK}/place.sh`),
      this.bind(`${CONTEXT}/paths`, `${AT_WORK}/paths`),
      `--mount=type=bind,${source.files ? `${source.files},` : ''}target=${AT_WORK}/files`,
    ];
    const owned = owner ? ` ${owner.uid}:${owner.gid}` : '';
    return step(mounts, `sh ${AT_WORK}/place.sh ${AT_WORK}/files${owned} <${AT_WORK}/paths`);
  }

  private runScript(name: string, words: string): string {
    const target = `${AT_WORK}/${name}`;
    return step([this.bind(`${CONTEXT}/${name}`, target)], `sh ${target} ${words}`);
  }

  private bind(path: string, target: string): string {
    return `--mount=type=bind,${this.source.mount(path)},target=${target}`;
  }
}

interface Step {
  mounts: string[];
  act: string;
}

function makeVirtual(prefix: string): Step {
  return { mounts: [], act: withUv(`uv venv ${prefix}`, `python3 -m venv ${prefix}`) };
}

function withUv(uv: string, otherwise: string): string {
  return `if command -v uv >/dev/null 2>&1; then ${uv}; \\\n    else ${otherwise}; fi`;
}

function step(mounts: readonly string[], act: string): string {
  return `RUN ${[...mounts, act].join(' \\\n    ')}`;
}
