export type Operation = 'create' | 'start' | 'stop' | 'remove' | 'build' | 'pull' | 'push' | 'observe' | 'resource';

export interface SimulatedOptions {
  /** Milliseconds that each operation takes; 5 where nothing is said. */
  delaysMs?: Partial<Record<Operation, number>>;
  /** References that are there from the start. */
  images?: string[];
  /** Where the images are remembered over a restart, as a real engine would. Left out, they are forgotten. */
  imagesFile?: string;
}
