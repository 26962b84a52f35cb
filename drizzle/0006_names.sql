ALTER TABLE `hosts` ADD `local_images` text;--> statement-breakpoint
ALTER TABLE `hosts` ADD `queued_builds_per_person` real DEFAULT 0 NOT NULL;