/** A host's Traefik that reads files. */
export const fileProxy = {
  isAdded: true,
  type: 'traefikFileProvider' as const,
  containerName: '',
  entryPoint: 'web',
  certResolver: 'le',
  configFileLocation: '/nowhere/berth-test',
};
