/** NVIDIA's own page on its package repository. */
export const NVIDIA_REPOSITORY =
  'https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/install-guide.html';

interface Versions {
  isAdded: boolean;
  driverVersion: string;
  toolkitVersion: string;
}

/** Whether a version is the one that is wanted, or a later part of it: 550.90.07 is 550. */
export function isVersion(found: string, wanted: string): boolean {
  const plain = wanted.trim();
  return found === plain || (plain !== '' && ['.', '-', '~', '+'].some((mark) => found.startsWith(plain + mark)));
}

/** What brings a Debian or an Ubuntu the versions that are wanted; nothing in it is more than letters, digits and marks. */
export function nvidiaCommands({ isAdded, driverVersion, toolkitVersion }: Versions): string {
  const plain = (version: string): string => (isAdded && /^[\w.+~:-]+$/.test(version.trim()) ? version.trim() : '');
  const [driver, toolkit] = [plain(driverVersion), plain(toolkitVersion)];
  const major = /^\d+/.exec(driver)?.[0] ?? '';
  const packages = ['nvidia-container-toolkit', 'nvidia-container-toolkit-base'];
  const pinned = packages.map((name) => (toolkit === '' ? name : `${name}=${toolkit.replace(/^v/, '')}*`));
  return [
    '# Debian, with the section non-free',
    `apt-get install ${major === '' ? 'nvidia-driver' : `"nvidia-driver=${driver}*"`}`,
    '# Ubuntu',
    `ubuntu-drivers install --gpgpu${major === '' ? '' : ` nvidia:${major}-server`}`,
    '# Both, once they know NVIDIA’s package repository',
    `apt-get install ${pinned.map((name) => (name.includes('*') ? `"${name}"` : name)).join(' ')}`,
    'nvidia-ctk runtime configure --runtime=docker',
    'systemctl restart docker',
    'reboot',
  ].join('\n');
}
