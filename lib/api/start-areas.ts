import 'server-only';
import type { Area } from '@/lib/http/area';
import { singleton } from '@/lib/singleton';
import { areas } from './areas';

/** Has the record API's writes do what they mean beyond the record. Once per process, however often it is called. */
export function startAreas(): void {
  singleton('areas-started', () => {
    for (const area of areas as readonly Area[]) area.start?.();
    return true;
  });
}
