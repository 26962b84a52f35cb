import { buildsTable } from '@/db/schema/images';

export const builds = { name: 'builds', table: buildsTable };
