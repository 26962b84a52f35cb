CREATE TABLE `quotas` (
	`id` text PRIMARY KEY NOT NULL,
	`created` text DEFAULT '' NOT NULL,
	`updated` text DEFAULT '' NOT NULL,
	`user` text DEFAULT '' NOT NULL,
	`group` text DEFAULT '' NOT NULL,
	`set_by` text DEFAULT '' NOT NULL,
	`workspaces` text,
	`running` text,
	`cpus` text,
	`memory_bytes` text,
	`gpus` text,
	`storage_bytes` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `quotas_holder_unique` ON `quotas` (`user`,`group`);--> statement-breakpoint
CREATE INDEX `quotas_group` ON `quotas` (`group`);--> statement-breakpoint
CREATE INDEX `quotas_created` ON `quotas` (`created`);