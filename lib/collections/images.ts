import { imagesTable } from '@/db/schema/images';

export const images = { name: 'images', table: imagesTable };
