/** Statuses of an image and of one build, and what may be asked of an image in each. */
export const IMAGE_STATUSES = ['build_pending', 'building', 'build_finished', 'build_cancelled', 'error'] as const;
export type ImageStatus = (typeof IMAGE_STATUSES)[number];

export const IMAGE_ACTIONS = ['build', 'cancelBuild', 'useTemplate', 'enable', 'disable', 'delete'] as const;
export type ImageAction = (typeof IMAGE_ACTIONS)[number];

export const imageMoves: Record<ImageStatus, readonly ImageStatus[]> = {
  build_pending: ['building', 'build_finished', 'build_cancelled', 'error'],
  building: ['build_pending', 'build_finished', 'build_cancelled', 'error'],
  build_finished: ['build_pending', 'building'],
  build_cancelled: ['build_pending', 'building'],
  error: ['build_pending', 'building'],
};

/** Whether a status may follow another. A status may always be reported again. */
export function canMoveImage(from: ImageStatus, to: ImageStatus): boolean {
  return from === to || imageMoves[from].includes(to);
}

/** Whether a build is over. */
export function isBuildOver(status: string): boolean {
  return status === 'build_finished' || status === 'build_cancelled' || status === 'error';
}

export interface ImageState {
  status: string;
  enabled: boolean;
  template: boolean;
  /** Of the newest build; a fresh image is pending without one. */
  buildNumber: number;
}

/**
 * What may be asked of an image now. A disabled one can't be built, nor a template; one under way can be cancelled. A template
 * that is enabled can be used.
 */
export function allowedImageActions(image: ImageState): ImageAction[] {
  const isUnderWay = image.buildNumber > 0 && (image.status === 'build_pending' || image.status === 'building');
  return IMAGE_ACTIONS.filter((action) => {
    if (action === 'build') return image.enabled && !image.template && !isUnderWay;
    if (action === 'cancelBuild') return isUnderWay && !image.template;
    if (action === 'useTemplate') return image.template && image.enabled;
    if (action === 'enable') return !image.enabled;
    if (action === 'disable') return image.enabled;
    return true;
  });
}
