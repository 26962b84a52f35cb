import type { WireRecords } from '@/lib/api/wire-records';
import type { BaseRecord } from '@/lib/records/wire';

export type { HostMetrics, HostMetricSpan } from '@/lib/api/wire-records';

/** Records as the API answers them to a page, by collection. */
export type Collections = WireRecords;
export type CollectionName = keyof Collections;

export type UserRecord = Collections['users'];
export type GroupRecord = Collections['groups'];
export type HostRecord = Collections['hosts'];
export type ImageRecord = Collections['images'];
export type BuildRecord = Collections['builds'];
export type WorkspaceRecord = Collections['workspaces'];
export type DeploymentRecord = Collections['deployments'];
export type VolumeRecord = Collections['volumes'];
export type NetworkRecord = Collections['networks'];
export type DomainRecord = Collections['domains'];
export type FileRecord = Collections['files'];
export type SettingRecord = Collections['settings'];
export type AuditRecord = Collections['audit'];

/** One permission: a user or a group, the resource under its own name, and one boolean per flag. */
export type PermissionRecord = BaseRecord & {
  user: string;
  group: string;
  expand?: { user?: UserRecord; group?: GroupRecord; [field: string]: unknown };
  [field: string]: unknown;
};

/** Who is signed in. */
export interface Viewer {
  id: string;
  username: string;
  name: string;
  email: string;
  avatar: string;
  isAdmin: boolean;
}
