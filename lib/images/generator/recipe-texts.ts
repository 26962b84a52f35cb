import type { ImageRecipe } from './generate-image';
import { isConda, toEnvironmentFile, toRequirements } from './requirements';
import { LOCK_SCRIPT, PLACE_SCRIPT, START_SCRIPT, SYSTEM_SCRIPT, USER_SCRIPT } from './scripts';

export interface ContextText {
  /** In the build context. */
  path: string;
  text: string;
  mode: number;
}

/** The folder of the build context that is the generator's own. */
export const CONTEXT = '.berth';

/** Every text that a generated Dockerfile reads. */
export function listTexts(recipe: ImageRecipe): ContextText[] {
  const { environments, startupCommands, userConfiguration, filePaths } = recipe;
  const texts: [path: string, text: string, mode?: number][] = [];
  if (environments.length > 0) texts.push(['system.sh', SYSTEM_SCRIPT], ['lock.sh', LOCK_SCRIPT]);
  if (userConfiguration?.isAdded) texts.push(['user.sh', USER_SCRIPT]);
  for (const environment of environments) {
    const requirements = toRequirements(environment);
    const at = `environments/${environment.name}`;
    const { exact } = environment;
    if (exact) texts.push([`${at}.lock`, exact.lock]);
    if (exact?.conda) texts.push([`${at}.conda`, exact.conda]);
    else if (isConda(environment)) texts.push([`${at}.yml`, toEnvironmentFile(environment, recipe.channels)]);
    if (requirements !== '') texts.push([`${at}.txt`, requirements]);
  }
  if (filePaths.length > 0) {
    texts.push(
      ['place.sh', PLACE_SCRIPT],
      [
        'paths',
        [...filePaths]
          .sort()
          .map((path) => `${path}\n`)
          .join(''),
      ],
    );
  }
  if (startupCommands.length > 0) {
    texts.push(['startup/start', START_SCRIPT, 0o755]);
    texts.push(['startup/environments', startupCommands.map(({ environment }) => `${environment ?? ''}\n`).join('')]);
    startupCommands.forEach(({ command }, index) => {
      texts.push([`startup/commands/${index + 1}`, `${command.replace(/\r\n?/g, '\n')}\n`]);
    });
  }
  return texts.map(([path, text, mode = 0o644]) => ({ path: `${CONTEXT}/${path}`, text, mode }));
}
