ALTER TABLE `images` ADD `newer_digest` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `images` ADD `newer_checked` text DEFAULT '' NOT NULL;