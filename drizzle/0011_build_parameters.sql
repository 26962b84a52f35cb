ALTER TABLE `images` ADD `build_arguments` text;--> statement-breakpoint
ALTER TABLE `images` ADD `build_secrets` text;