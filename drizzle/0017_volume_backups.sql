CREATE TABLE `volume_backups` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`volume` text DEFAULT '' NOT NULL,
	`created_by` text DEFAULT '' NOT NULL,
	`origin` text DEFAULT '' NOT NULL,
	`status` text DEFAULT '' NOT NULL,
	`status_message` text DEFAULT '' NOT NULL,
	`finished` text DEFAULT '' NOT NULL,
	`size_bytes` real DEFAULT 0 NOT NULL,
	`tar_bytes` real DEFAULT 0 NOT NULL,
	`entries` real DEFAULT 0 NOT NULL,
	`left_out` real DEFAULT 0 NOT NULL,
	`restore_status` text DEFAULT '' NOT NULL,
	`restore_message` text DEFAULT '' NOT NULL,
	`restored_at` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `volume_backups_volume` ON `volume_backups` (`volume`);--> statement-breakpoint
CREATE INDEX `volume_backups_status` ON `volume_backups` (`status`);--> statement-breakpoint
CREATE INDEX `volume_backups_created` ON `volume_backups` (`created`);--> statement-breakpoint
ALTER TABLE `volumes` ADD `size_bytes` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `volumes` ADD `size_is_least` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `volumes` ADD `sized_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `volumes` ADD `backup_schedule` text;--> statement-breakpoint
ALTER TABLE `volumes` ADD `next_backup_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `volumes_next_backup` ON `volumes` (`next_backup_at`);