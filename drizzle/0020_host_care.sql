ALTER TABLE `hosts` ADD `maintenance` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `drain` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `workspaces_drain` ON `workspaces` (`drain`);