ALTER TABLE `quotas` ADD `idle_minutes_max` text;--> statement-breakpoint
ALTER TABLE `quotas` ADD `delete_days_max` text;--> statement-breakpoint
ALTER TABLE `quotas` ADD `keep_hours_max` text;