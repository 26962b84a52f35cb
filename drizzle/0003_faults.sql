CREATE TABLE `installation` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `unknown_objects` (
	`host_id` text NOT NULL,
	`kind` text NOT NULL,
	`object_id` text NOT NULL,
	`seen` text NOT NULL,
	`since` text NOT NULL,
	PRIMARY KEY(`host_id`, `kind`, `object_id`)
);
