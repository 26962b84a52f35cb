import { hostsTable } from '@/db/schema/hosts';

export const hosts = { name: 'hosts', table: hostsTable };
