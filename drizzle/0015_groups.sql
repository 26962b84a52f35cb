CREATE TABLE `group_members` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`group` text DEFAULT '' NOT NULL,
	`source` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `group_members_user_group_unique` ON `group_members` (`user`,`group`);--> statement-breakpoint
CREATE INDEX `group_members_group` ON `group_members` (`group`);--> statement-breakpoint
CREATE TABLE `groups` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`member_count` real DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `groups_name_unique` ON `groups` (`name`);--> statement-breakpoint
CREATE INDEX `groups_created` ON `groups` (`created`);--> statement-breakpoint
DROP INDEX `domain_permissions_user_domain_unique`;--> statement-breakpoint
ALTER TABLE `domain_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `domain_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `domain_permissions_holder_domain_unique` ON `domain_permissions` (`user`,`group`,`domain`);--> statement-breakpoint
CREATE INDEX `domain_permissions_group` ON `domain_permissions` (`group`,`domain`,`deploy`,`modify`,`delete`);--> statement-breakpoint
DROP INDEX `file_permissions_user_file_unique`;--> statement-breakpoint
ALTER TABLE `file_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `file_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `file_permissions_holder_file_unique` ON `file_permissions` (`user`,`group`,`file`);--> statement-breakpoint
CREATE INDEX `file_permissions_group` ON `file_permissions` (`group`,`file`,`view`,`modify`,`delete`);--> statement-breakpoint
DROP INDEX `host_permissions_user_host_unique`;--> statement-breakpoint
ALTER TABLE `host_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `host_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `host_permissions_holder_host_unique` ON `host_permissions` (`user`,`group`,`host`);--> statement-breakpoint
CREATE INDEX `host_permissions_group` ON `host_permissions` (`group`,`host`,`view`,`can_create_images`,`can_create_workspaces`,`can_create_bind_mounts`,`can_create_networks`,`can_create_volume_mounts`);--> statement-breakpoint
DROP INDEX `image_permissions_user_image_unique`;--> statement-breakpoint
ALTER TABLE `image_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `image_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `image_permissions_holder_image_unique` ON `image_permissions` (`user`,`group`,`image`);--> statement-breakpoint
CREATE INDEX `image_permissions_group` ON `image_permissions` (`group`,`image`,`view`,`deploy`,`build`,`modify`,`delete`);--> statement-breakpoint
DROP INDEX `network_permissions_user_network_unique`;--> statement-breakpoint
ALTER TABLE `network_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `network_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `network_permissions_holder_network_unique` ON `network_permissions` (`user`,`group`,`network`);--> statement-breakpoint
CREATE INDEX `network_permissions_group` ON `network_permissions` (`group`,`network`,`attach`,`modify`,`delete`);--> statement-breakpoint
DROP INDEX `volume_permissions_user_volume_unique`;--> statement-breakpoint
ALTER TABLE `volume_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `volume_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `volume_permissions_holder_volume_unique` ON `volume_permissions` (`user`,`group`,`volume`);--> statement-breakpoint
CREATE INDEX `volume_permissions_group` ON `volume_permissions` (`group`,`volume`,`attach`,`modify`,`delete`);--> statement-breakpoint
DROP INDEX `workspace_login_permissions_user_workspace_url_unique`;--> statement-breakpoint
ALTER TABLE `workspace_login_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_login_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_login_permissions_holder_workspace_url_unique` ON `workspace_login_permissions` (`user`,`group`,`workspace`,`url`);--> statement-breakpoint
CREATE INDEX `workspace_login_permissions_group` ON `workspace_login_permissions` (`group`,`workspace`,`url`);--> statement-breakpoint
DROP INDEX `workspace_permissions_user_workspace_unique`;--> statement-breakpoint
ALTER TABLE `workspace_permissions` ADD `group` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_permissions` ADD `set_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_permissions_holder_workspace_unique` ON `workspace_permissions` (`user`,`group`,`workspace`);--> statement-breakpoint
CREATE INDEX `workspace_permissions_group` ON `workspace_permissions` (`group`,`workspace`,`view`,`deploy`,`attach`,`modify`,`delete`);