CREATE TABLE `build_bases` (
	`build` text NOT NULL,
	`position` integer NOT NULL,
	`host` text NOT NULL,
	`name` text NOT NULL,
	`image_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`build`, `position`)
);
--> statement-breakpoint
CREATE INDEX `build_bases_host_image_id` ON `build_bases` (`host`,`image_id`);--> statement-breakpoint
CREATE TABLE `build_locks` (
	`build` text PRIMARY KEY NOT NULL,
	`environments` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `image_checks` (
	`id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`created_by` text NOT NULL,
	`status` text NOT NULL,
	`message` text DEFAULT '' NOT NULL,
	`asked_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `builds` ADD `lock_of` real DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `builds` ADD `has_lock` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `builds` ADD `is_gone` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `image_build` real DEFAULT 0 NOT NULL;