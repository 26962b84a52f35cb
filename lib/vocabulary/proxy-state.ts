/** How the Traefik that a host is to run does, as the host told it last. Null where none is asked for. */
export interface TraefikState {
  /** `removing` until the host says that it is gone; `unsupported` by an agent that is too old. */
  status: 'pending' | 'running' | 'error' | 'removing' | 'unsupported';
  /** What is being done or waited for, or what is wrong and what to do. */
  message: string;
  /** As it was asked for; empty while nothing runs. */
  image: string;
  containerId: string;
  /** Wire date since which the status holds; for `running`, since the container was started. */
  since: string;
}
