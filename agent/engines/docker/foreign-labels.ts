/** Labels by which programs beside the engine route, run or manage containers; and our own. */
const STEERING =
  /^(?:traefik|caddy(?:_\d+)?|ofelia|com\.docker\.compose|com\.centurylinklabs\.watchtower|berth)(?:\.|$)/i;

/** What such labels of an image become on a container: a container carries its image's labels unless it says otherwise. */
export function neutralLabels(ofImage: Record<string, string>): Record<string, string> {
  const steering = Object.keys(ofImage).filter((name) => STEERING.test(name));
  return Object.fromEntries(steering.map((name) => [name, /\.enabled?$/i.test(name) ? 'false' : '']));
}
