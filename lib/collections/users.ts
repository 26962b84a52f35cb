import { usersTable } from '@/db/schema/users';

export const users = { name: 'users', table: usersTable };
