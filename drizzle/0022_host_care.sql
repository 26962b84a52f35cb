ALTER TABLE `hosts` ADD `maintenance` text;--> statement-breakpoint
ALTER TABLE `hosts` ADD `thresholds` text;--> statement-breakpoint
ALTER TABLE `hosts` ADD `alarms` text;--> statement-breakpoint
ALTER TABLE `time_notices` ADD `host` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `drain` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `workspaces_drain` ON `workspaces` (`drain`);