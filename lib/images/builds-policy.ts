import { imagesPolicy } from './policy';
import { nobody, through, type Policy } from '@/lib/policies/rules';

const visible = through('image', 'images', imagesPolicy.view);

/** A build is seen by whoever sees its image, and written by the console alone. */
export const buildsPolicy: Policy<'view' | 'cancel'> = {
  list: visible,
  view: visible,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: visible, cancel: through('image', 'images', imagesPolicy.can.build) },
};
