ALTER TABLE `hosts` ADD `thresholds` text;--> statement-breakpoint
ALTER TABLE `hosts` ADD `alarms` text;--> statement-breakpoint
ALTER TABLE `time_notices` ADD `host` text DEFAULT '' NOT NULL;