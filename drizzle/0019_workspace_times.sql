CREATE TABLE `time_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`workspace` text DEFAULT '' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`kind` text DEFAULT '' NOT NULL,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `time_notices_user` ON `time_notices` (`user`,`created`);--> statement-breakpoint
CREATE INDEX `time_notices_created` ON `time_notices` (`created`);--> statement-breakpoint
ALTER TABLE `workspaces` ADD `idle_minutes` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `schedule` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `delete_after_days` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `kept_until` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `stops_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `warned_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `next_start_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `next_stop_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `deletes_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `quiet_since` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `quiet_seen_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `look_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `delete_from` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `delete_announced` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `next_time_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `workspaces_next_time` ON `workspaces` (`next_time_at`);