/** What of an image's record says by which name, and from where, an engine gets it. */
export interface SpecImage {
  build_on: string;
  creationType: string;
  dockerImageName: string;
  repository: string;
  tag: string;
  external: boolean;
  push_after_build: boolean;
  imageId: string;
}

/** What a host's engine knows an image by. */
export function imageReference(
  image: Pick<SpecImage, 'creationType' | 'dockerImageName' | 'repository' | 'tag'>,
): string {
  if (image.creationType === 'pullAnImage' && image.dockerImageName) return image.dockerImageName;
  return image.tag ? `${image.repository}:${image.tag}` : image.repository;
}

/** Whether a registry has the image, so that any host can get it. */
export function isInRegistry(image: Pick<SpecImage, 'creationType' | 'external' | 'push_after_build'>): boolean {
  return image.creationType === 'pullAnImage' || image.external || image.push_after_build;
}

/** Whether a host can run the image: it was built there, or a registry has it. */
export function isReachableFrom(image: SpecImage, hostId: string): boolean {
  return image.build_on === hostId || isInRegistry(image);
}
