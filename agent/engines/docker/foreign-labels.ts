import { EngineError } from '../engine-error';
import { ENABLE_LABEL } from '../../routes/traefik-labels';

/** Labels by which programs beside the engine route, run or manage containers; and our own. */
const STEERING =
  /^(?:traefik|caddy(?:_\d+)?|ofelia|com\.docker\.compose|com\.centurylinklabs\.watchtower|berth)(?:\.|$)/i;

/** What such labels of an image become on a container: a container carries its image's labels unless it says otherwise. */
export function neutralLabels(ofImage: Record<string, string>): Record<string, string> {
  const steering = Object.keys(ofImage).filter((name) => STEERING.test(name));
  return Object.fromEntries(steering.map((name) => [name, /\.enabled?$/i.test(name) ? 'false' : '']));
}

const TRAEFIK = /^traefik\./i;

/**
 * What Traefik is to read off a container: nothing, unless addresses lead to it. Traefik makes routers of its own for what is
 * not marked, and for every name that an emptied label still has: throws for an image with such names.
 */
export function proxyLabels(wanted: Record<string, string>, ofImage: Record<string, string>): Record<string, string> {
  if (Object.keys(wanted).length === 0) return { [ENABLE_LABEL]: 'false' };
  const foreign = Object.keys(ofImage).find((name) => TRAEFIK.test(name) && name !== ENABLE_LABEL);
  if (foreign === undefined) return wanted;
  const words = `The image has labels for Traefik, such as ${foreign.slice(0, 100)}: with them it can't have addresses here`;
  throw new EngineError('invalid', words);
}
