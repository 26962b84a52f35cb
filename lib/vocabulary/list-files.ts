/** Files of other tools that an image's lists are read from. */
export const LIST_FILES = ['requirements.txt', 'environment.yml', 'pyproject.toml', 'Dockerfile'] as const;
export type ListFile = (typeof LIST_FILES)[number];

export const LIST_FILE_BYTES = 50 * 1024;

/** Which of them a file is, by its name, else by its text; a list for pip where nothing says otherwise. */
export function listFileOf(name: string, text: string): ListFile {
  const [base = ''] = name.toLowerCase().split(/[/\\]/).slice(-1);
  if (/\.ya?ml$/.test(base)) return 'environment.yml';
  if (base.endsWith('.toml')) return 'pyproject.toml';
  if (/dockerfile|containerfile/.test(base)) return 'Dockerfile';
  if (/\.(?:txt|in)$/.test(base)) return 'requirements.txt';
  if (/^[ \t]*FROM[ \t]+\S/im.test(text)) return 'Dockerfile';
  if (/^(?:dependencies|channels):/m.test(text)) return 'environment.yml';
  if (/^\[(?:project|tool\.[\w.-]+|build-system)\]/m.test(text)) return 'pyproject.toml';
  return 'requirements.txt';
}
